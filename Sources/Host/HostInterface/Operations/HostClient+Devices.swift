// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText
internal import Synchronization

extension HostClient {
  /// Performs an operation on the cameras and microphones of the machine.
  func performOnDevices(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(OperationError) -> OperationResult {
    if method == .deviceCapture { return try await capture(parameters) }
    do throws(HostError) {
      if method == .deviceListCameras {
        return OperationResult(["cameras": .array(try await operations.host.cameras().map(\.json))])
      }
      return OperationResult(["microphones": .array(try await operations.host.microphones().map(\.json))])
    } catch { throw OperationError(error) }
  }

  /// Saves frames of a camera to a file. The end of the client cancels the capture.
  private func capture(_ parameters: OperationParameters) async throws(OperationError) -> OperationResult {
    let path: String
    do throws(HostError) { path = try self.path("path", parameters) } catch { throw OperationError(error) }
    let camera = CameraSelection(parameters.text("camera"))
    let settings = (parameters["settings"]?.members ?? []).map { ($0.name, Int($0.value.integer ?? 0)) }
    let values = Dictionary(settings) { _, last in last }
    let (host, frames) = (operations.host, parameters.integer("frames").map { Int($0) })
    let task = state.withLock { state -> Task<Result<CameraCapture, HostError>, Never>? in
      guard state.capture == nil, !state.isClosed else { return nil }
      let task = Task { () -> Result<CameraCapture, HostError> in
        do throws(HostError) {
          return .success(try await host.capture(from: camera, to: path, frames: frames, settings: values))
        } catch { return .failure(error) }
      }
      state.capture = task
      return task
    }
    guard let task else { throw .busy("the client already saves frames of a camera; wait for the response") }
    let result = await task.value
    state.withLock { $0.capture = nil }
    switch result {
    case .success(let capture): return OperationResult(capture.json)
    case .failure(let error): throw OperationError(error)
    }
  }

  /// Performs an operation on the passcode. No message and no log contains a passcode.
  func performOnPasscode(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(HostError) -> OperationResult {
    let (passcode, current) = (operations.host.passcode, parameters["current"]?.string)
    switch method {
    case .passcodeSet:
      return OperationResult(try await passcode.set(parameters.text("passcode"), current: current).json)
    case .passcodeClear: return OperationResult(try await passcode.clear(current: current).json)
    default: return OperationResult(["set": .bool(try await passcode.isSet())])
    }
  }
}
