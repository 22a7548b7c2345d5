// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar

/// Where `darkroom run` shows the viewfinder.
enum PreviewChoice: Hashable {
  /// As a stream, into this file or named pipe.
  case file(String)
  /// In the terminal, in this way; nil: in the best that it has.
  case terminal(TerminalAbility.Graphics?)

  /// The word for the terminal.
  static let word = "terminal"

  /// What a person has written. A file of such a name is written with its directory: `./terminal`.
  init(_ text: String) throws(CommandFailure) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.first.map(String.init) == Self.word else {
      self = .file(text)
      return
    }
    guard parts.count == 2 else {
      self = .terminal(nil)
      return
    }
    guard let graphics = TerminalAbility.Graphics(rawValue: String(parts[1])) else {
      let ways = TerminalAbility.Graphics.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(
        .usage,
        "a terminal shows no \"\(TextTable.printable(String(parts[1])))\"; write one of \(ways), or no more than "
          + "terminal"
      )
    }
    self = .terminal(graphics)
  }

  /// Whether the words of a command ask for the viewfinder in this terminal, which is no other process's.
  static func isTerminal(_ text: String?) -> Bool {
    text == word || text?.hasPrefix("\(word):") == true
  }
}
