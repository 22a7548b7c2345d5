// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The recent events of remote buttons, and the number of sounds that may still be played for them.
///
/// A press and its release are two events. At most one sound is played for both.
struct RemotePresses: Sendable {
  /// The maximum age of an event for which a sound is played, in nanoseconds.
  static let soundWindow: UInt64 = 15_000_000_000
  /// The maximum number of sounds that are tried for one press. Each may be a file that the host reads, and
  /// an extension can name many files that cannot be played.
  private static let maximumAttempts = 8
  /// The maximum number of remembered events.
  private static let maximumEvents = 32

  /// An event of a remote button.
  private struct Event: Sendable {
    /// The number of the event.
    let id: Int
    /// The number of the event that started the press.
    let press: Int
    /// The time of the event.
    let time: UInt64
  }

  private var events: [Event] = []
  /// The presses that have not ended, by button.
  private var current: [CaptureButton: Int] = [:]
  /// The number of sounds that may still be tried for a press. A press without an entry has all attempts; a
  /// press with a played sound has none.
  private var attemptsLeft: [Int: Int] = [:]

  /// Records an event of a remote button. `mayPlay` is whether the extension plays the sound of a press.
  mutating func note(_ event: CaptureEvent, mayPlay: Bool, now: UInt64) {
    let press: Int?
    switch event.phase {
    case .began:
      press = event.id
      current[event.button] = event.id
      if !mayPlay { attemptsLeft[event.id] = 0 }
    case .ended: press = current.removeValue(forKey: event.button)
    case .cancelled:
      // A cancelled press has no effect.
      current[event.button] = nil
      press = nil
    }
    guard let press else { return }
    events.append(Event(id: event.id, press: press, time: now))
    if events.count > Self.maximumEvents { events.removeFirst() }
    let known = Set(events.map(\.press) + current.values)
    attemptsLeft = attemptsLeft.filter { known.contains($0.key) }
  }

  /// Returns whether a sound may be tried for the event with this number, and counts the attempt.
  mutating func attempt(for id: Int, now: UInt64) -> Bool {
    guard let event = events.last(where: { $0.id == id }), now - min(event.time, now) <= Self.soundWindow
    else { return false }
    let left = attemptsLeft[event.press] ?? Self.maximumAttempts
    guard left > 0 else { return false }
    attemptsLeft[event.press] = left - 1
    return true
  }

  /// Records that a sound is played for the event with this number.
  mutating func markPlayed(_ id: Int) {
    if let event = events.last(where: { $0.id == id }) { attemptsLeft[event.press] = 0 }
  }
}
