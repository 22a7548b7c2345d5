// SPDX-License-Identifier: Apache-2.0

/// The lock state of the screen.
public enum ScreenLockState: String, Sendable, Hashable {
  /// The screen is locked. A session shows no data of the user.
  case locked
  /// The screen is unlocked.
  case unlocked
}

/// A source of the lock state, implemented by the program that embeds the host.
///
/// The host calls ``changes()`` first, and then reads ``state``. A state that changes in between is thus not
/// missed.
public protocol LockStateSource: Sendable {
  /// The current state. Any thread reads it; it must not block.
  var state: ScreenLockState { get }
  /// Returns each state after a change, for one session. The session ends the iteration.
  func changes() -> AsyncStream<ScreenLockState>
}

/// The source of the lock state of a host.
public enum LockStateSelection: Sendable {
  /// The sources that the state directory configures: `darkroom lock`, logind or a file.
  case standard
  /// A state that never changes.
  case fixed(ScreenLockState)
  /// A source of the embedding program.
  case source(any LockStateSource)
}

/// A lock state that the embedding program sets.
public final class AdjustableLockState: LockStateSource {
  private let value: WatchedValue<ScreenLockState>

  /// Creates a lock state.
  public init(_ state: ScreenLockState) { value = WatchedValue(state) }

  /// The current state.
  public var state: ScreenLockState { value.current }

  /// Sets the state. Running sessions are notified.
  public func set(_ state: ScreenLockState) { value.change { $0 = state } }

  /// Returns each state after a change.
  public func changes() -> AsyncStream<ScreenLockState> {
    AsyncStream { continuation in
      let (value, first) = (value, value.current)
      let task = Task {
        var last = first
        while let new = await value.next({ [last] in $0 == last ? nil : $0 }) {
          last = new
          continuation.yield(new)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
