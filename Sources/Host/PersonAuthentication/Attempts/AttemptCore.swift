// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// What the two sides of an attempt share: the session's loop, and the thread that asks.
final class AttemptCore: Sendable {
  /// Readable when the outcome is there, or the time is over whatever the thread does.
  let waiting: WaitSet
  /// Tells the thread how long to wait.
  let patience: Patience

  private let decided: Descriptor
  private let stop: Descriptor
  private let alarm: AlarmClock
  /// Readable when the thread has left nothing behind.
  private let ended: Descriptor
  private let outcome = Mutex<AuthenticationOutcome?>(nil)

  /// Prepares an attempt that must be decided by a moment of ``MonotonicClock``.
  init(deadline: UInt64) throws(SystemCallError) {
    waiting = try WaitSet.make()
    decided = try EventCounter.make()
    stop = try EventCounter.make()
    ended = try EventCounter.make()
    alarm = try AlarmClock.make()
    try waiting.watch(decided.rawValue)
    try waiting.watch(alarm.descriptor.rawValue)
    try alarm.set(deadline)
    patience = Patience(stop: stop.rawValue, deadline: deadline)
  }

  /// The outcome; nil as long as there is none and time is left.
  var result: AuthenticationOutcome? {
    if let found = outcome.withLock({ $0 }) { return found }
    // A thread that hangs in the kernel, behind a lock that a stopped process holds, decides nothing.
    if MonotonicClock.now >= patience.deadline { return decide(.timedOut) }
    return nil
  }

  /// Says that the thread has left nothing behind.
  func end() { try? EventCounter.add(to: ended) }

  /// Waits until the thread has left nothing behind, or a moment of ``MonotonicClock``.
  func waitForEnd(until deadline: UInt64) {
    _ = try? Poller.wait([(ended.rawValue, .readable)], until: deadline)
  }

  /// Decides the attempt, unless it is decided; gives what it was decided to.
  @discardableResult
  func decide(_ new: AuthenticationOutcome) -> AuthenticationOutcome {
    let final = outcome.withLock { outcome in
      if outcome == nil { outcome = new }
      return outcome ?? new
    }
    // A counter that cannot be added to is full, and so readable.
    try? EventCounter.add(to: decided)
    try? EventCounter.add(to: stop)
    return final
  }
}
