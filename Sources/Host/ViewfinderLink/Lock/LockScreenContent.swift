// SPDX-License-Identifier: Apache-2.0

/// The content of a lock screen, as the host sends it to the helper.
package struct LockScreenContent: Hashable, Sendable {
  /// The number of typed characters.
  package var characters: Int
  /// The phase of authentication.
  package var phase: Phase
  /// The mode of the screen.
  package var mode: Mode
  /// The texts on the screen.
  package var words: LockScreenText

  /// The phases of authentication.
  package enum Phase: String, CaseIterable, Sendable {
    /// The lock screen waits for input.
    case idle
    /// The answer is being checked.
    case checking
    /// The last answer was wrong.
    case wrong
  }

  /// The modes of the screen.
  package enum Mode: String, CaseIterable, Sendable {
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
  private static let maximumCharacters = 1024

  /// Creates the content of a lock screen.
  package init(
    characters: Int = 0,
    phase: Phase = .idle,
    mode: Mode = .waiting,
    words: LockScreenText = LockScreenText()
  ) {
    (self.characters, self.phase) = (min(characters, Self.maximumCharacters), phase)
    (self.mode, self.words) = (mode, words)
  }

  /// Creates the content from ``text``, or returns `nil` if the text is not valid.
  package init?(_ text: String) {
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard lines.count == 2, let said = LockScreenText(String(lines[1])) else { return nil }
    let facts = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard facts.count == 3, let characters = Int(facts[0]), (0...Self.maximumCharacters).contains(characters),
      let phase = Phase(rawValue: String(facts[1])), let mode = Mode(rawValue: String(facts[2]))
    else { return nil }
    self.init(characters: characters, phase: phase, mode: mode, words: said)
  }

  /// The encoded content: the number of characters, the phase and the mode in the first line, followed by the
  /// texts.
  package var text: String { "\(characters) \(phase.rawValue) \(mode.rawValue)\n\(words.text)" }
}
