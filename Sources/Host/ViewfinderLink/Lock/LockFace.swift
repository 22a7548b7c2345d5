// SPDX-License-Identifier: Apache-2.0

/// What a lock screen shows, as the host says it to the program that draws.
package struct LockFace: Hashable, Sendable {
  /// How many characters were typed.
  package var characters: Int
  /// How far the person is.
  package var mood: Mood
  /// What they are in front of.
  package var situation: Situation
  /// What is said to them.
  package var words: LockWords

  /// How far the person is.
  package enum Mood: String, CaseIterable, Sendable {
    /// They are awaited.
    case idle
    /// It is found out whether it is them.
    case checking
    /// It was not them.
    case wrong
  }

  /// What the person is in front of.
  package enum Situation: String, CaseIterable, Sendable {
    /// The lock.
    case waiting
    /// The lock, which has a button of the camera.
    case camera
    /// A question who they are, which something else than the lock has asked.
    case asking
    /// A session: what is seen is the picture of an extension, and marked as that.
    case session
  }

  /// The most characters that can be told apart from more.
  private static let mostCharacters = 1024

  /// A face of its own.
  package init(
    characters: Int = 0,
    mood: Mood = .idle,
    situation: Situation = .waiting,
    words: LockWords = LockWords()
  ) {
    (self.characters, self.mood) = (min(characters, Self.mostCharacters), mood)
    (self.situation, self.words) = (situation, words)
  }

  /// Reads what the host says: ``text``.
  package init?(_ text: String) {
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard lines.count == 2, let said = LockWords(String(lines[1])) else { return nil }
    let facts = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard facts.count == 3, let characters = Int(facts[0]), (0...Self.mostCharacters).contains(characters),
      let mood = Mood(rawValue: String(facts[1])), let situation = Situation(rawValue: String(facts[2]))
    else { return nil }
    self.init(characters: characters, mood: mood, situation: situation, words: said)
  }

  /// The number of characters, the mood and the situation in one line, and the words in those below.
  package var text: String { "\(characters) \(mood.rawValue) \(situation.rawValue)\n\(words.text)" }
}
