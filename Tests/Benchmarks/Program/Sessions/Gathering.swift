// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import LinuxPrimitives
import Synchronization

/// Sessions that stay until all of them are there and somebody has looked.
final class Gathering: Sendable {
  private let state = Mutex(State())

  private struct State {
    var present = 0
    var isOver = false
  }

  /// How many extensions listen.
  var present: Int { state.withLock { $0.present } }

  /// Lets all of them go.
  func end() { state.withLock { $0.isOver = true } }

  /// Waits until so many are there; false if the time is over first.
  func wait(for count: Int, seconds: Int) -> Bool {
    for _ in 0..<(seconds * 20) {
      if present >= count { return true }
      MonotonicClock.sleep(milliseconds: 50)
    }
    return false
  }

  /// The person in front of one of the sessions.
  struct Guest: SessionControl {
    let gathering: Gathering
    private var next: UInt64?
    private var isGone = false

    /// Somebody who stays until the end.
    init(_ gathering: Gathering) { self.gathering = gathering }

    var descriptor: Int32? { nil }
    var nextMoment: UInt64? { isGone ? nil : next }

    mutating func begin(at now: UInt64) {
      if next == nil { gathering.state.withLock { $0.present += 1 } }
      next = next ?? now
    }

    mutating func commands(at now: UInt64) -> [SessionCommand] {
      guard let moment = next, moment <= now, !isGone else { return [] }
      // Hundreds that ask more often would be what is measured.
      next = now + 1_000_000_000
      isGone = gathering.state.withLock { $0.isOver }
      return isGone ? [.dismiss] : []
    }
  }
}
