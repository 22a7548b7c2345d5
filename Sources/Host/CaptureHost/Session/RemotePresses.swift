// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The newest events of remote buttons, and for which of them a sound may still be played.
///
/// A press and its release are two events, and one sound may be played for both together.
struct RemotePresses: Sendable {
  /// How old an event may be for which a sound is played, in nanoseconds.
  static let soundTime: UInt64 = 15_000_000_000
  /// How many sounds may be tried for one press: each may be a file that the host reads, and an extension can name many
  /// that cannot be played.
  private static let mostAttempts = 8
  /// How many events are remembered.
  private static let mostEvents = 32

  /// One event.
  private struct Event: Sendable {
    /// Its number.
    let id: Int
    /// The number of the event with which its press began.
    let press: Int
    /// When it was.
    let time: UInt64
  }

  private var events: [Event] = []
  /// The presses that have begun and not ended.
  private var current: [CaptureButton: Int] = [:]
  /// How many sounds may still be tried for a press; one that is not listed has all attempts, and one whose sound is
  /// played has none.
  private var attemptsLeft: [Int: Int] = [:]

  /// Remembers an event of a remote button. `mayPlay` says whether the extension plays the sound of a press that begins.
  mutating func note(_ event: CaptureEvent, mayPlay: Bool, now: UInt64) {
    let press: Int?
    switch event.phase {
    case .began:
      press = event.id
      current[event.button] = event.id
      if !mayPlay { attemptsLeft[event.id] = 0 }
    case .ended: press = current.removeValue(forKey: event.button)
    case .cancelled:
      // It means nothing any more.
      current[event.button] = nil
      press = nil
    }
    guard let press else { return }
    events.append(Event(id: event.id, press: press, time: now))
    if events.count > Self.mostEvents { events.removeFirst() }
    let known = Set(events.map(\.press) + current.values)
    attemptsLeft = attemptsLeft.filter { known.contains($0.key) }
  }

  /// Whether a sound may be tried for the event of this number; it counts as tried.
  mutating func attempt(for id: Int, now: UInt64) -> Bool {
    guard let event = events.last(where: { $0.id == id }), now - min(event.time, now) <= Self.soundTime
    else { return false }
    let left = attemptsLeft[event.press] ?? Self.mostAttempts
    guard left > 0 else { return false }
    attemptsLeft[event.press] = left - 1
    return true
  }

  /// A sound is played for the event of this number.
  mutating func spend(_ id: Int) {
    if let event = events.last(where: { $0.id == id }) { attemptsLeft[event.press] = 0 }
  }
}
