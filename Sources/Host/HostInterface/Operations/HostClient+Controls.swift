// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension HostClient {
  /// Performs an operation on controls.
  func performOnControl(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(OperationError) -> OperationResult {
    if method == .controlPress { return try await press(parameters) }
    let (host, key) = (operations.host, parameters.text("key"))
    do throws(HostError) {
      switch method {
      case .controlBindings:
        return OperationResult(["bindings": .array(try await host.keyBindings.list().map(\.json))])
      case .controlBind:
        let (control, app) = (parameters.text("control"), parameters.text("app"))
        return OperationResult(try await host.keyBindings.bind(key, to: control, of: app).json)
      case .controlUnbind: return OperationResult(try await host.keyBindings.unbind(key).json)
      default:
        let camera = parameters["camera"]?.string.map { CameraSelection($0) }
        return OperationResult(
          try await host.readiness(of: parameters.text("extension"), camera: camera).json
        )
      }
    } catch { throw OperationError(error) }
  }

  /// Presses a control. A session that it launches belongs to this client.
  private func press(_ parameters: OperationParameters) async throws(OperationError) -> OperationResult {
    let (app, control) = (parameters.text("app"), parameters.text("control"))
    let options = LaunchOptions(parameters.object("options"))
    try reserveLaunch()
    let effect: ControlPressResult
    do throws(HostError) { effect = try await operations.host.press(control, of: app, options) } catch {
      releaseLaunch()
      throw OperationError(error)
    }
    switch effect {
    case .applicationOpened(let opening):
      releaseLaunch()
      return OperationResult(opening.json)
    case .session(let session):
      try await add(session, "\(app)/\(control)")
      return OperationResult(["effect": "session", "session": .string(session.id)]) { [self] in
        report(session)
      }
    }
  }
}
