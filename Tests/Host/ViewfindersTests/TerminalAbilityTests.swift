// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Viewfinders

/// Terminal capabilities before an image is shown.
@Suite struct TerminalAbilityTests {
  private func ability(_ variables: [String: String]) -> TerminalAbility? {
    TerminalAbility { variables[$0] }
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
    ] as [([String: String], TerminalAbility.Graphics, TerminalAbility.Colours, Bool)]
  )
  func `the environment says what a terminal can show, and whether it is worth asking`(
    variables: [String: String],
    graphics: TerminalAbility.Graphics,
    colours: TerminalAbility.Colours,
    isWorthAsking: Bool
  ) throws {
    let ability = try #require(self.ability(variables))
    #expect(ability.graphics == graphics && ability.colours == colours)
    #expect(ability.isWorthAsking == isWorthAsking)
    #expect(ability.isMultiplexed == (variables["TMUX"] != nil))
  }

  @Test(arguments: [[:], ["TERM": ""], ["TERM": "dumb"]] as [[String: String]])
  func `where nothing can be shown it is said`(variables: [String: String]) {
    #expect(ability(variables) == nil)
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
    ] as [(String, Bool, TerminalAbility.Graphics)]
  )
  func `a terminal's answer is read to its end, and nothing else of what comes is believed`(
    text: String,
    isWhole: Bool,
    graphics: TerminalAbility.Graphics
  ) throws {
    let answer = TerminalAnswer(Array(text.utf8))
    #expect(answer.isWhole == isWhole)
    var ability = try #require(self.ability(["TERM": "xterm-256color"]))
    if isWhole { ability.note(answer) }
    #expect(ability.graphics == graphics)
  }

  @Test func `no part of an answer, or of a key with many bytes, is taken for a key`() {
    var keys = TerminalKeys()
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
