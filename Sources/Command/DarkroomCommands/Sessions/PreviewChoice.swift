// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import PolicyWords
internal import Viewfinders

/// Where `darkroom run` shows the viewfinder.
enum PreviewChoice: Hashable {
  /// As a stream, into this file or named pipe.
  case file(String)
  /// In the terminal, in this way; nil: in the best that it has.
  case terminal(TerminalAbility.Graphics?)
  /// In a window of a Wayland compositor.
  case window

  /// The word for the terminal.
  static let word = "terminal"
  /// The word for a window.
  static let windowWord = "window"

  /// What a person has written. A file of such a name is written with its directory: `./terminal`.
  init(_ text: String) throws(CommandFailure) {
    guard text != Self.windowWord else {
      self = .window
      return
    }
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

  /// Whether the words of a command ask for the viewfinder in its terminal or in a window of the person's compositor,
  /// which are no other process's.
  static func isShownHere(_ text: String?) -> Bool {
    text == word || text?.hasPrefix("\(word):") == true || text == windowWord
  }
}
