// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// The state that the session's loop and the authentication thread share in an attempt.
final class AttemptState: Sendable {
  /// A descriptor set that is readable when the attempt is decided or its time limit has expired.
  let waiting: WaitSet
  /// The time limit for the thread.
  let timeout: Timeout

  private let decided: Descriptor
  private let stop: Descriptor
  private let alarm: TimerDescriptor
  /// An event counter that the thread signals when it has released all resources.
  private let ended: Descriptor
  private let outcome = Mutex<AuthenticationOutcome?>(nil)

  /// Creates an attempt with a deadline (``MonotonicClock``).
  init(deadline: UInt64) throws(SystemCallError) {
    waiting = try WaitSet.make()
    decided = try EventCounter.make()
    stop = try EventCounter.make()
    ended = try EventCounter.make()
    alarm = try TimerDescriptor.make()
    try waiting.watch(decided.rawValue)
    try waiting.watch(alarm.descriptor.rawValue)
    try alarm.set(deadline)
    timeout = Timeout(stop: stop.rawValue, deadline: deadline)
  }

  /// The outcome, or `nil` while the attempt is undecided and has time left.
  var result: AuthenticationOutcome? {
    if let found = outcome.withLock({ $0 }) { return found }
    // The thread may be blocked in the kernel, for example by a file lock of a stopped process.
    if MonotonicClock.now >= timeout.deadline { return decide(.timedOut) }
    return nil
  }

  /// Signals that the thread has released all resources.
  func end() { try? EventCounter.add(to: ended) }

  /// Waits until the thread has released all resources, or until a deadline (``MonotonicClock``).
  func waitForEnd(until deadline: UInt64) {
    _ = try? Poller.wait([(ended.rawValue, .readable)], until: deadline)
  }

  /// Decides the attempt unless it is already decided, and returns the final outcome.
  @discardableResult
  func decide(_ new: AuthenticationOutcome) -> AuthenticationOutcome {
    let final = outcome.withLock { outcome in
      if outcome == nil { outcome = new }
      return outcome ?? new
    }
    // Adding fails only if the counter is full, and then it is readable.
    try? EventCounter.add(to: decided)
    try? EventCounter.add(to: stop)
    return final
  }
}
