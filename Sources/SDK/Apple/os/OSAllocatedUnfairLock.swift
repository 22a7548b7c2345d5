// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A lock that protects a value; Apple's type. It may be used on any thread.
public struct OSAllocatedUnfairLock<State>: Sendable {
  /// The lock and its value, shared by all copies.
  ///
  /// `@unchecked Sendable`, because the mutex protects the value, which need not be Sendable in Apple's API.
  private final class Storage: @unchecked Sendable {
    let mutex: Mutex<Unchecked>
    init(_ value: State) { mutex = Mutex(Unchecked(value: value)) }
  }

  private struct Unchecked: @unchecked Sendable { var value: State }

  private let storage: Storage

  /// Creates a lock for a value.
  public init(initialState: State) where State: Sendable { storage = Storage(initialState) }

  /// Creates a lock for a value that is not Sendable; no other reference to it may exist.
  public init(uncheckedState initialState: State) { storage = Storage(initialState) }

  /// Calls `body` with the value while no other thread can access it.
  ///
  /// - Parameter body: The closure; it must not use the same lock.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func withLock<Result: Sendable>(_ body: @Sendable (inout State) throws -> Result) rethrows -> Result
  {
    try storage.mutex.withLock { try body(&$0.value) }
  }
}

extension OSAllocatedUnfairLock where State == Void {
  /// Creates a lock without a value.
  public init() { storage = Storage(()) }

  /// Calls `body` while no other thread has the lock.
  ///
  /// - Parameter body: The closure; it must not use the same lock.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
    try storage.mutex.withLock { _ in try body() }
  }
}
