// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Runs blocking work on a separate thread, and suspends the caller meanwhile.
///
/// The task pool has one thread per core; none of them may block on a disk or a lock.
///
/// - Parameter work: The blocking work.
/// - Returns: The result of `work`.
/// - Throws: ``LockedCameraCaptureError`` for a failed system call, or the error of `work`.
func onPlainThread<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  do {
    return try await withCheckedThrowingContinuation { continuation in
      do throws(SystemCallError) {
        _ = try PlainThread.start(name: "darkroom-app") {
          continuation.resume(with: Swift.Result { try work() })
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  } catch let error as SystemCallError {
    throw LockedCameraCaptureError(.notWritten, "\(error)")
  }
}
