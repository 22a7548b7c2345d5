// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// A thread of its own for the fake host: it blocks, which no thread of the task pool may do.
final class HostThread: @unchecked Sendable {
  private let body: @Sendable () throws -> Void
  private var thread = pthread_t()
  /// Written by the thread, read after it was joined.
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

  /// Waits for the thread, and throws what it has thrown.
  func join() throws {
    pthread_join(thread, nil)
    if let error { throw error }
  }
}

private func runHost(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  context.map { Unmanaged<HostThread>.fromOpaque($0).takeRetainedValue().run() }
  return nil
}
