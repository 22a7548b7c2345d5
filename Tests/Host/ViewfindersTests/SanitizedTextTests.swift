// SPDX-License-Identifier: Apache-2.0

import Testing
import ViewfinderLink

@Suite struct SanitizedTextTests {
  @Test func `keeps text in any script`() {
    for text in ["Password:", "Schönes Gerät", "Пароль", "パスワード", "e\u{301}", "2 + 2 = 4 €"] {
      #expect(SanitizedText.line(text, maximum: 40) == text)
    }
  }

  @Test(arguments: [
    ("Password:\nType it again:\t", "Password: Type it again:"),
    ("  a \u{3000}\u{A0} b\u{2028}c ", "a b c"),
    ("a\u{2800}\u{2800}b", "a b"),
    // Control characters and bidirectional overrides.
    ("a\u{1B}[2Jb\u{7}\u{9F}", "a[2Jb"),
    ("\u{202E}drowssaP\u{202C} \u{2067}x\u{2069}\u{200F}", "drowssaP x"),
    // Characters without a visible width.
    ("a\u{200B}\u{200D}\u{FEFF}\u{AD}\u{3164}\u{FE0F}b", "ab"),
    // Private-use characters and noncharacters, and excessive combining marks.
    ("a\u{E000}\u{FFFFF}b", "ab"),
    ("\u{301}a\u{301}\u{302}\u{303}\u{304}b\u{305}", "a\u{301}\u{302}b\u{305}"),
    ("\u{200E}\u{0}", ""),
  ])
  func `removes invisible characters and characters that change others`(text: String, line: String) {
    #expect(SanitizedText.line(text, maximum: 40).unicodeScalars.elementsEqual(line.unicodeScalars))
  }

  @Test func `truncates a long text with an ellipsis`() {
    #expect(SanitizedText.line("abcde", maximum: 5) == "abcde")
    #expect(SanitizedText.line("abcdef", maximum: 5) == "abcd…")
    #expect(SanitizedText.line("abcd ef", maximum: 5) == "abcd…")
    #expect(SanitizedText.line("abc    ", maximum: 3) == "abc")
    #expect(SanitizedText.line(String(repeating: "x", count: 1_000_000), maximum: 160).count == 160)
  }

  @Test func `replaces quotation marks in a name`() {
    #expect(SanitizedText.name("Odd” Passcode: “", maximum: 40) == "Odd' Passcode: '")
    #expect(SanitizedText.name(#"«A» "B" 'C' „D‟"#, maximum: 40) == "'A' 'B' 'C' 'D'")
  }
}
