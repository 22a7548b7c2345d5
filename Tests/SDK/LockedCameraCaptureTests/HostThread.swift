// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// A separate thread for the fake host. The fake host blocks, which is not permitted on threads of the task
/// pool.
final class HostThread: @unchecked Sendable {
  private let body: @Sendable () throws -> Void
  private var thread = pthread_t()
  /// The error of `body`. The thread writes it; other threads read it only after they have joined the thread.
  private var error: (any Error)?

  init(_ body: @escaping @Sendable () throws -> Void) throws {
    self.body = body
    let context = Unmanaged.passRetained(self).toOpaque()
    let result = pthread_create(&thread, nil, runHost, context)
    try #require(result == 0)
  }

  fileprivate func run() {
    do { try body() } catch { self.error = error }
  }

  /// Waits for the thread, and throws the error of its body.
  func join() throws {
    pthread_join(thread, nil)
    if let error { throw error }
  }
}

private func runHost(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  context.map { Unmanaged<HostThread>.fromOpaque($0).takeRetainedValue().run() }
  return nil
}
