// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import PolicyExplanation
internal import Viewfinders

/// The place where `darkroom run` shows the viewfinder.
enum PreviewChoice: Hashable {
  /// A file or named pipe, to which a video stream is written.
  case file(String)
  /// The terminal, with this graphics protocol, or with the best supported one if it is `nil`.
  case terminal(TerminalCapabilities.Graphics?)
  /// A window of a Wayland compositor.
  case window

  /// The keyword for the terminal.
  static let terminalKeyword = "terminal"
  /// The keyword for a window.
  static let windowKeyword = "window"

  /// Parses the argument of `--preview`. A file with the name of a keyword is given with its directory:
  /// `./terminal`.
  init(_ text: String) throws(CommandFailure) {
    guard text != Self.windowKeyword else {
      self = .window
      return
    }
    guard TerminalCapabilities.Graphics(rawValue: text) == nil else {
      throw CommandFailure(
        .usage,
        "--preview \(text) names a method of the terminal; use --preview \(Self.terminalKeyword):\(text), or --preview "
          + "./\(text) for a file"
      )
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.first.map(String.init) == Self.terminalKeyword else {
      self = .file(text)
      return
    }
    guard parts.count == 2 else {
      self = .terminal(nil)
      return
    }
    guard let graphics = TerminalCapabilities.Graphics(rawValue: String(parts[1])) else {
      let ways = TerminalCapabilities.Graphics.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(
        .usage,
        "--preview terminal has no method '\(TextTable.printable(String(parts[1])))'; use one of \(ways), or omit the "
          + "method"
      )
    }
    self = .terminal(graphics)
  }

  /// Returns whether an argument selects the terminal or a window, which belong to this process and its user,
  /// not to a server.
  static func isLocalDisplay(_ text: String?) -> Bool {
    text == terminalKeyword || text?.hasPrefix("\(terminalKeyword):") == true || text == windowKeyword
  }
}
