// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import LinuxPrimitives
import Synchronization

/// A barrier for sessions that stay until all are present and have been observed.
final class SessionBarrier: Sendable {
  private let state = Mutex(State())

  private struct State {
    var listening = 0
    var isOver = false
  }

  /// The number of listening extensions.
  var listening: Int { state.withLock { $0.listening } }

  /// Dismisses all sessions.
  func end() { state.withLock { $0.isOver = true } }

  /// Waits until the given number of extensions listen. Returns `false` at the timeout.
  func wait(for count: Int, seconds: Int) -> Bool {
    for _ in 0..<(seconds * 20) {
      if listening >= count { return true }
      MonotonicClock.sleep(milliseconds: 50)
    }
    return false
  }

  /// The simulated user of one session.
  struct BarrierControl: SessionControl {
    let barrier: SessionBarrier
    private var next: UInt64?
    private var isDismissed = false

    /// Creates a user who stays until the end.
    init(_ barrier: SessionBarrier) { self.barrier = barrier }

    var descriptor: Int32? { nil }
    var nextDeadline: UInt64? { isDismissed ? nil : next }

    mutating func begin(at now: UInt64) {
      if next == nil { barrier.state.withLock { $0.listening += 1 } }
      next = next ?? now
    }

    mutating func commands(at now: UInt64) -> [SessionCommand] {
      guard let moment = next, moment <= now, !isDismissed else { return [] }
      // More frequent polling by hundreds of sessions would dominate the measurement.
      next = now + 1_000_000_000
      isDismissed = barrier.state.withLock { $0.isOver }
      return isDismissed ? [.dismiss] : []
    }
  }
}
