// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText
internal import Synchronization

extension HostClient {
  /// Performs an operation on the viewfinder of a session of this client; any client can request an image.
  func performOnViewfinder(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(OperationError) -> OperationResult {
    if method == .viewfinderImage { return try await image(parameters) }
    let session = try ownSession(parameters, "viewfinder")
    switch method {
    case .viewfinderOpen: return try await openViewfinder(session)
    case .viewfinderNext:
      guard let frame = await session.holdNextFrame() else { return OperationResult(["more": false]) }
      return OperationResult([
        "more": true, "offset": .integer(Int64(frame.offset)),
        "sequence": .integer(Int64(clamping: frame.sequence)),
        "timestamp": .integer(Int64(clamping: frame.timestamp)),
      ])
    default:
      session.releaseHeldFrame()
      return .none
    }
  }

  /// Returns a session that this client has launched.
  ///
  /// - Throws: An error if there is none, which names the `part` of the session that the client requested.
  func ownSession(_ parameters: OperationParameters, _ part: String) throws(OperationError) -> HostedSession {
    let id = parameters.text("session")
    if let own = state.withLock({ state in state.sessions.first { $0.id == id }?.session }) { return own }
    throw .notFound("this client has not launched the session '\(id)', so that it cannot open its \(part)")
  }

  private func openViewfinder(_ session: HostedSession) async throws(OperationError) -> OperationResult {
    let isFirst = state.withLock { $0.viewfinders.insert(session.id).inserted }
    guard isFirst else { throw .busy("the viewfinder of the session '\(session.id)' is already open") }
    do throws(HostError) {
      guard let memory = try await session.viewfinderMemory() else {
        return OperationResult(["opened": false])
      }
      return OperationResult(
        [
          "opened": true, "width": .integer(Int64(memory.width)), "height": .integer(Int64(memory.height)),
          "bytes": .integer(Int64(memory.bytes)), "planes": .array(memory.planes.map(\.json)),
        ],
        descriptors: [memory.file]
      )
    } catch {
      state.withLock { _ = $0.viewfinders.remove(session.id) }
      throw OperationError(error)
    }
  }

  /// Returns the newest frame of a session as an image, in a memory file, because an image can be larger than a
  /// line.
  private func image(_ parameters: OperationParameters) async throws(OperationError) -> OperationResult {
    let format = ViewfinderImage.Format(rawValue: parameters["format"]?.string ?? "") ?? .png
    do throws(HostError) {
      let image = try await operations.host.image(ofViewfinder: parameters.text("session"), as: format)
      return OperationResult(image.json, descriptors: [try image.makeFile()])
    } catch { throw OperationError(error) }
  }
}
