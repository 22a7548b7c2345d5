// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// Does something that should be finished before the session ends, for example closing a film.
  ///
  /// If the session is dismissed meanwhile, the host waits for it, up to a limit of its own; then the process is killed.
  /// What `ProcessInfo.performExpiringActivity` is to Apple's extensions.
  ///
  /// - Parameters:
  ///   - reason: What is done, for the session's record.
  ///   - body: What is done; it runs in the main actor, and the session goes on while it awaits.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; or, before `body` was begun, ``LockedCameraCaptureError`` if the host allows no more
  ///   activities or the session has ended, and `CancellationError`.
  @MainActor
  public func withExpiringActivity<Result>(
    reason: String,
    _ body: @MainActor () async throws -> Result
  ) async throws -> Result {
    let begun: ActivityResult
    do throws(AskFailure) {
      begun = try await runtime.ask(.sessionBeginActivity(reason: reason), ActivityResult.self)
    } catch {
      throw error.published
    }
    runtime.unfinished += 1
    defer {
      runtime.unfinished -= 1
      runtime.send(.sessionEndActivity(begun.activity))
    }
    return try await body()
  }
}
