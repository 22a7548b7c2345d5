// SPDX-License-Identifier: Apache-2.0

/// What a lock screen shows that has no session.
package struct LockFace: Hashable, Sendable {
  /// How many characters were typed.
  package var characters = 0
  /// How far the person is.
  package var mood = Mood.idle
  /// Whether there is a button of the camera.
  package var hasCamera = false
  /// Whether the person is asked in the middle of a session.
  package var isAsking = false

  /// How far the person is.
  package enum Mood: String, Sendable {
    /// They are awaited.
    case idle
    /// It is found out whether it is them.
    case checking
    /// It was not them.
    case wrong
  }

  /// The most characters that can be told apart from more.
  private static let mostCharacters = 1024

  /// Nothing was typed yet.
  package init() {}

  /// Reads what the host says: the number of characters, the mood, and `camera` where there is a button,
  /// `asking` in the middle of a session, or `none`.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 3, let characters = Int(words[0]), (0...Self.mostCharacters).contains(characters),
      let mood = Mood(rawValue: String(words[1]))
    else { return nil }
    (self.characters, self.mood) = (characters, mood)
    (hasCamera, isAsking) = (words[2] == "camera", words[2] == "asking")
  }
}
