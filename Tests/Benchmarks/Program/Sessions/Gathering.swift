// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import LinuxPrimitives
import Synchronization

/// A barrier for sessions that stay until all are present and have been observed.
final class Gathering: Sendable {
  private let state = Mutex(State())

  private struct State {
    var present = 0
    var isOver = false
  }

  /// The number of listening extensions.
  var present: Int { state.withLock { $0.present } }

  /// Dismisses all sessions.
  func end() { state.withLock { $0.isOver = true } }

  /// Waits until the given number of extensions listen. Returns `false` at the timeout.
  func wait(for count: Int, seconds: Int) -> Bool {
    for _ in 0..<(seconds * 20) {
      if present >= count { return true }
      MonotonicClock.sleep(milliseconds: 50)
    }
    return false
  }

  /// The simulated user of one session.
  struct Guest: SessionControl {
    let gathering: Gathering
    private var next: UInt64?
    private var isGone = false

    /// Creates a user who stays until the end.
    init(_ gathering: Gathering) { self.gathering = gathering }

    var descriptor: Int32? { nil }
    var nextMoment: UInt64? { isGone ? nil : next }

    mutating func begin(at now: UInt64) {
      if next == nil { gathering.state.withLock { $0.present += 1 } }
      next = next ?? now
    }

    mutating func commands(at now: UInt64) -> [SessionCommand] {
      guard let moment = next, moment <= now, !isGone else { return [] }
      // More frequent polling by hundreds of sessions would dominate the measurement.
      next = now + 1_000_000_000
      isGone = gathering.state.withLock { $0.isOver }
      return isGone ? [.dismiss] : []
    }
  }
}
