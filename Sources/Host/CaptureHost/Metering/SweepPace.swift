// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A schedule for removing the abandoned control groups of a subtree.
///
/// A sweep opens every group, and each session starts with one. Without a minimum interval, a host with many
/// sessions would spend most of its time on sweeps.
final class SweepPace: Sendable {
  /// The minimum interval between two sweeps of a subtree, in nanoseconds.
  static let rest: UInt64 = 10_000_000_000

  /// The time of the last sweep of each subtree. A host has one subtree.
  private let looks = Mutex<[(subtree: String, moment: UInt64)]>([])

  /// Returns whether a sweep is due, and if so, counts it as done.
  func isDue(_ subtree: String, at now: UInt64) -> Bool {
    looks.withLock { looks in
      guard let index = looks.firstIndex(where: { $0.subtree == subtree }) else {
        looks.append((subtree, now))
        return true
      }
      guard now >= looks[index].moment + Self.rest else { return false }
      looks[index].moment = now
      return true
    }
  }
}
