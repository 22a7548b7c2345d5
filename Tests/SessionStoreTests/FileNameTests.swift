// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SessionStore

@Suite struct FileNameTests {
  @Test(arguments: [
    "a", "a b.jpg", ".hidden", "..a", "-rf", "100%", "日本。jpg", "naïve …", "a\u{A0}b", "٠١.txt", "\\", "~",
    "e\u{301}",
  ])
  func `an ordinary name stays`(_ name: String) {
    #expect(FileName.fault(Array(name.utf8)) == nil)
    #expect(FileName.text(Array(name.utf8)) == name)
  }

  /// Names that deceive, as bytes, because the test's own output must not.
  static let deceiving: [[UInt8]] =
    [
      "...", " ", ". ", " ..", "\u{2024}", "\u{2025}", "\u{2026}", "\u{FF0E}", "\u{FF0E}\u{FF0E}",
      "\u{FE52}.",
      "\u{FF61}", "\u{3002}", ".\u{200B}", "\u{200D}", "\u{2060}..", "..\u{FE0F}", "\u{A0}", "\u{3000}.",
      "\u{2800}",
      "a\u{200B}b", "a\u{AD}", "\u{FEFF}a", "a\u{3164}", "a\u{E0041}", "..\u{2215}etc", "a\u{2044}b",
      "a\u{FF0F}b",
      "a\u{29F8}b",
    ].map { Array($0.utf8) } + [[0xEF, 0xB7, 0x90]]

  @Test(arguments: deceiving)
  func `a name that looks like another or like nothing gets an ordinary one`(_ name: [UInt8]) throws {
    #expect(FileName.fault(name) == .nameMisleading)
    let new = try FileName.ordinary(insteadOf: name, attempt: 0)
    #expect(FileName.fault(new) == nil, "\(FileName.text(new))")
  }

  /// Old names and new ones.
  static let renamed: [(old: [UInt8], fault: QuarantineReason, new: String)] = [
    (Array("a\nb".utf8), .nameWithControlCharacters, "a%0Ab"),
    (Array("\u{1B}[2J".utf8), .nameWithControlCharacters, "%1B[2J"),
    (Array("\u{202E}gpj".utf8), .nameWithControlCharacters, "%E2%80%AEgpj"),
    (Array("\u{85}\u{2028}".utf8), .nameWithControlCharacters, "%C2%85%E2%80%A8"),
    ([0x61, 0x7F], .nameWithControlCharacters, "a%7F"),
    ([0x61, 0xFF, 0x62], .nameNotUTF8, "a%FFb"),
    // A surrogate, and a slash in two bytes, which is no UTF-8.
    ([0xED, 0xA0, 0x80], .nameNotUTF8, "%ED%A0%80"), ([0xC0, 0xAF], .nameNotUTF8, "%C0%AF"),
    ([0xC3, 0xA9, 0xFF], .nameNotUTF8, "é%FF"),
    (Array("..".utf8) + [0xFF], .nameNotUTF8, "..%FF"),
    (Array("100%\n".utf8), .nameWithControlCharacters, "100%25%0A"),
  ]

  @Test(arguments: renamed)
  func `what can't stay is written as its bytes`(
    _ example: (old: [UInt8], fault: QuarantineReason, new: String)
  )
    throws
  {
    #expect(FileName.fault(example.old) == example.fault)
    #expect(try FileName.ordinary(insteadOf: example.old, attempt: 0) == Array(example.new.utf8))
  }

  @Test func `a name that would become too long keeps its ending, and two of them stay two`() throws {
    let old = [UInt8](repeating: 0x0A, count: 250) + Array(".jpg".utf8)
    let other = [UInt8](repeating: 0x0A, count: 249) + Array("\t.jpg".utf8)
    let new = try FileName.ordinary(insteadOf: old, attempt: 0)
    #expect(new.count <= 255)
    #expect(new.count > 240)
    #expect(new.suffix(4) == Array(".jpg".utf8)[...])
    #expect(FileName.fault(new) == nil)
    #expect(try FileName.ordinary(insteadOf: other, attempt: 0) != new)
    #expect(try FileName.ordinary(insteadOf: old, attempt: 1) != new)
  }

  @Test func `no two names become one`() throws {
    let old: [[UInt8]] = [[0x0A], Array("%0A\n".utf8), Array("\n%0A".utf8), Array("%0A%0A\u{7F}".utf8)]
    let new = try old.map { try FileName.ordinary(insteadOf: $0, attempt: 0) }
    #expect(Set(new).count == old.count)
  }
}
