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
