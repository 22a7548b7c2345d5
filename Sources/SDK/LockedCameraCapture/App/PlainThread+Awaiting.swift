// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Does work that waits in the kernel on a thread of its own, and suspends the caller meanwhile.
///
/// What the kernel refuses is thrown as ``LockedCameraCaptureError``. The task pool has a thread for each core and no more; none of them may wait for a disk or a lock.
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
