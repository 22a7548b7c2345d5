// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// Runs an operation that should finish before the session ends, for example closing a video file.
  ///
  /// If the session is dismissed meanwhile, the host waits for the operation up to its own time limit, and
  /// then kills the process. It corresponds to `ProcessInfo.performExpiringActivity` in Apple's extensions.
  ///
  /// - Parameters:
  ///   - reason: A description of the operation, for the session record.
  ///   - body: The operation. It runs in the main actor; the session handles events while it awaits.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Before `body` starts: ``LockedCameraCaptureError`` if the host allows no
  ///   more activities or the session has ended, or `CancellationError`.
  @MainActor
  public func withExpiringActivity<Result>(
    reason: String,
    _ body: @MainActor () async throws -> Result
  ) async throws -> Result {
    let started: ActivityResult
    do throws(RequestFailure) {
      started = try await runtime.awaitResult(.sessionBeginActivity(reason: reason), ActivityResult.self)
    } catch {
      throw error.publicError
    }
    runtime.pendingWork += 1
    defer {
      runtime.pendingWork -= 1
      runtime.send(.sessionEndActivity(started.activity))
    }
    return try await body()
  }
}
