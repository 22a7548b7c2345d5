// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension HostClient {
  /// Performs an operation on the cameras and microphones of the machine.
  func performOnDevices(_ method: InterfaceMethod) async throws(HostError) -> OperationResult {
    if method == .deviceListCameras {
      return OperationResult(["cameras": .array(try await operations.host.cameras().map(\.json))])
    }
    return OperationResult(["microphones": .array(try await operations.host.microphones().map(\.json))])
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
