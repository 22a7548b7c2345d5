// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A generator of numbers from 1.
final class SettingsNumbers: Sendable {
  private let last = Atomic<Int64>(0)

  /// Returns the next number.
  func next() -> Int64 { last.add(1, ordering: .relaxed).newValue }
}
