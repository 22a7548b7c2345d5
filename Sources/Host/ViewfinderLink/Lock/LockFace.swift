// SPDX-License-Identifier: Apache-2.0

/// The content of a lock screen, as the host sends it to the helper.
package struct LockFace: Hashable, Sendable {
  /// The number of typed characters.
  package var characters: Int
  /// The phase of authentication.
  package var mood: Mood
  /// The mode of the screen.
  package var situation: Situation
  /// The texts on the screen.
  package var words: LockWords

  /// The phases of authentication.
  package enum Mood: String, CaseIterable, Sendable {
    /// The lock screen waits for input.
    case idle
    /// The answer is being checked.
    case checking
    /// The last answer was wrong.
    case wrong
  }

  /// The modes of the screen.
  package enum Situation: String, CaseIterable, Sendable {
    /// The lock screen.
    case waiting
    /// The lock screen with a camera button.
    case camera
    /// A prompt to authenticate the user that was not started by the lock screen.
    case asking
    /// A session. The screen shows the image of an extension, marked as such.
    case session
  }

  /// The maximum number of characters that is represented.
  private static let mostCharacters = 1024

  /// Creates the content of a lock screen.
  package init(
    characters: Int = 0,
    mood: Mood = .idle,
    situation: Situation = .waiting,
    words: LockWords = LockWords()
  ) {
    (self.characters, self.mood) = (min(characters, Self.mostCharacters), mood)
    (self.situation, self.words) = (situation, words)
  }

  /// Creates the content from ``text``, or returns `nil` if the text is not valid.
  package init?(_ text: String) {
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard lines.count == 2, let said = LockWords(String(lines[1])) else { return nil }
    let facts = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard facts.count == 3, let characters = Int(facts[0]), (0...Self.mostCharacters).contains(characters),
      let mood = Mood(rawValue: String(facts[1])), let situation = Situation(rawValue: String(facts[2]))
    else { return nil }
    self.init(characters: characters, mood: mood, situation: situation, words: said)
  }

  /// The encoded content: the number of characters, the phase and the mode in the first line, followed by the
  /// texts.
  package var text: String { "\(characters) \(mood.rawValue) \(situation.rawValue)\n\(words.text)" }
}
