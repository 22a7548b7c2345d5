// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension HostClient {
  /// Performs an operation on the lock state.
  func performOnLock(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(HostError) -> OperationResult {
    switch method {
    case .lockSet:
      try setLockState(ScreenLockState(rawValue: parameters.text("state")) ?? .locked)
      return .none
    case .lockStatus: return OperationResult(try await operations.host.lock.status().json)
    case .lockLock:
      try await lock()
      return .none
    default:
      return OperationResult([
        "state": .string(operations.lockState.rawValue), "settable": .bool(operations.isLockStateSettable),
      ])
    }
  }

  private func setLockState(_ state: ScreenLockState) throws(HostError) {
    guard let lock = operations.settableLock else {
      throw HostError(
        argument: "this server follows the lock state of the system; start it with '--lock-state settable'"
      )
    }
    lock.set(state)
  }

  /// Locks Darkroom.
  ///
  /// - Throws: An error if the sessions of this server do not follow the lock, because the client relies on the
  ///   effect.
  private func lock() async throws(HostError) {
    let lock = operations.host.lock
    guard lock.isFollowed else {
      throw HostError(
        argument: "the sessions of this server do not follow the lock of the state directory; "
          + "start it with '--lock-state standard'"
      )
    }
    try await lock.lock()
  }
}
