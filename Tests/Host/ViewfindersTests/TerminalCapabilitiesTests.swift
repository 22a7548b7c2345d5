// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Viewfinders

/// Terminal capabilities before an image is shown.
@Suite struct TerminalCapabilitiesTests {
  private func capabilities(_ variables: [String: String]) -> TerminalCapabilities? {
    TerminalCapabilities { variables[$0] }
  }

  @Test(
    arguments: [
      (["TERM": "xterm-kitty"], .kitty, .full, false), (["TERM": "foot"], .sixel, .full, false),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .blocks, .full, true),
      (["TERM": "xterm-256color"], .blocks, .palette256, true),
      (["TERM": "xterm"], .blocks, .palette16, true),
      (["TERM": "linux"], .blocks, .palette16, false),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .sixel, .full, false),
      // The variables of the outer terminal do not describe the multiplexer.
      (["TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm", "TMUX": "/x"], .blocks, .palette256, true),
      (["TERM": "xterm-kitty", "TMUX": "/x"], .blocks, .palette16, true),
    ] as [([String: String], TerminalCapabilities.Graphics, TerminalCapabilities.Colours, Bool)]
  )
  func `derives the capabilities of a terminal from the environment`(
    variables: [String: String],
    graphics: TerminalCapabilities.Graphics,
    colours: TerminalCapabilities.Colours,
    shouldQuery: Bool
  ) throws {
    let capabilities = try #require(self.capabilities(variables))
    #expect(capabilities.graphics == graphics && capabilities.colours == colours)
    #expect(capabilities.shouldQuery == shouldQuery)
    #expect(capabilities.isMultiplexed == (variables["TMUX"] != nil))
  }

  @Test(arguments: [[:], ["TERM": ""], ["TERM": "dumb"]] as [[String: String]])
  func `returns no capabilities for a terminal that cannot show images`(variables: [String: String]) {
    #expect(capabilities(variables) == nil)
  }

  @Test(
    arguments: [
      ("\u{1B}[?62;4;22c", true, .sixel), ("\u{1B}[?64;1;2;14;22c", true, .blocks),
      // The first parameter is the terminal class, not an attribute.
      ("\u{1B}[?4;22c", true, .blocks), ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c", true, .kitty),
      ("\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\\u{1B}[?62;4c", true, .sixel), ("\u{1B}[?62;4", false, .blocks),
      ("qd s\u{1B}[?62;4c", true, .sixel), ("", false, .blocks), ("\u{FFFD}[?;;;c", false, .blocks),
      // A different response before the expected one, and a response with an invalid parameter.
      ("\u{1B}[?2026;2$y\u{1B}[?62;4c", true, .sixel), ("\u{1B}[?62;4;xc", false, .blocks),
      ("\u{1B}[?62;44;40c", true, .blocks), ("\u{1B}[?c", true, .blocks),
    ] as [(String, Bool, TerminalCapabilities.Graphics)]
  )
  func `parses a complete terminal response and ignores all other input`(
    text: String,
    isWhole: Bool,
    graphics: TerminalCapabilities.Graphics
  ) throws {
    let answer = TerminalResponse(Array(text.utf8))
    #expect(answer.isComplete == isWhole)
    var capabilities = try #require(self.capabilities(["TERM": "xterm-256color"]))
    if isWhole { capabilities.apply(answer) }
    #expect(capabilities.graphics == graphics)
  }

  @Test func `does not mistake part of a response or of a multibyte key for a key`() {
    var keys = TerminalKeyFilter()
    func text(_ bytes: String) -> String { String(decoding: keys.keys(Array(bytes.utf8)), as: UTF8.self) }
    #expect(text("d \u{1B}_Gi=31;OK=dsq\u{1B}\\s\u{1B}[?62;4cq") == "d sq")
    // A response that arrives in parts.
    #expect(text("\u{1B}]11;rgb:ff") == "" && text("dd/00\u{07}d") == "d")
    // Arrow and function keys, and the Escape key, which starts the same sequences.
    #expect(text("\u{1B}[A\u{1B}[15~\u{1B}OP ") == " " && text("\u{1B}") == "" && text("d") == "d")
    // A response of which only the first byte has arrived.
    #expect(text("\u{1B}") == "" && text("[?62;4;d") == "" && text("\u{1B}[\u{1B}[dq") == "q")
    // CAN (0x18) terminates every sequence.
    #expect(text("\u{1B}]11;\u{18}d") == "d")
    // An unterminated string does not swallow all later keys.
    #expect(text("\u{1B}_" + String(repeating: "x", count: 5000) + "q").last == "q")
  }
}
