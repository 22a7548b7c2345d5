// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// How often a host looks at all groups of one subtree for those that others have left: each look opens every one of them,
/// and each session begins with one, so that a host of many sessions would look at most of them most of the time.
final class SweepPace: Sendable {
  /// How long what one look has left is left alone, in nanoseconds.
  static let rest: UInt64 = 10_000_000_000

  /// The last look at each subtree, which a host has one of.
  private let looks = Mutex<[(subtree: String, moment: UInt64)]>([])

  /// Whether a look is due at a moment; then it counts as made.
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
