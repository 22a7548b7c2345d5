// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A schedule for removing the abandoned control groups of a subtree.
///
/// A sweep opens every group, and each session starts with one. Without a minimum interval, a host with many
/// sessions would spend most of its time on sweeps.
final class SweepSchedule: Sendable {
  /// The minimum interval between two sweeps of a subtree, in nanoseconds.
  static let interval: UInt64 = 10_000_000_000

  /// The time of the last sweep of each subtree. A host has one subtree.
  private let sweeps = Mutex<[(subtree: String, moment: UInt64)]>([])

  /// Returns whether a sweep is due, and if so, counts it as done.
  func isDue(_ subtree: String, at now: UInt64) -> Bool {
    sweeps.withLock { sweeps in
      guard let index = sweeps.firstIndex(where: { $0.subtree == subtree }) else {
        sweeps.append((subtree, now))
        return true
      }
      guard now >= sweeps[index].moment + Self.interval else { return false }
      sweeps[index].moment = now
      return true
    }
  }
}
