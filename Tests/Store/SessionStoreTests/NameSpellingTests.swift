// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SessionStore

/// The naming rule for one name. Misleading names are written as escapes, so that the output of a failing
/// test is not misleading.
@Suite struct NameSpellingTests {
  private static func spelled(_ name: String, _ form: ContentRule.Form = .portable) throws -> String {
    String(decoding: try NameSpelling(Array(name.utf8), form).candidate(0), as: UTF8.self)
  }

  private static func fault(_ name: String, _ form: ContentRule.Form = .portable) -> QuarantineReason? {
    NameSpelling.fault(Array(name.utf8), form)
  }

  // MARK: - Names that stay

  @Test(arguments: [
    "a", "a b.jpg", "IMG_0001.JPG", ".hidden", ".thumbnails", ".editorconfig", ".config.json", "100%",
    "%2Drf", "a-b", "a+b",
    "a~b", "~1".replacing("~", with: "x~"), "user@host.txt", "Tom & Jerry; (1) {2} #3 =4 !5 ^6.jpg",
    "archive.tar.gz",
    "Con artist.txt", "console.log", "auxiliary", "com.txt", "COM12", "git", "git~x", "gitty~1", "HEAD",
    "objects", "v1.url.txt",
    "desktop", "a.desktops",
  ])
  func `keeps harmless ASCII names`(_ name: String) throws {
    #expect(Self.fault(name) == nil)
    #expect(try Self.spelled(name) == name)
  }

  /// Names in many scripts with the joiners that they require, and emoji of every construction.
  @Test(arguments: [
    "日本。jpg", "葛\u{E0100}飾区.jpg", "naïve …", "e\u{301}.jpg", "Grüße aus München.jpg", "Ισμήνη.jpg",
    "Ёлка №1.jpg",
    "סבתא ב״חוף״.jpg", "صورة.jpg", "می\u{200C}خواهم.jpg", "क्\u{200D}ष.jpg", "শ্র\u{200D}ী.jpg", "ත්\u{200D}.jpg",
    "ภาพถ่าย.jpg",
    "사진.jpg", "٠١.txt", "a\u{A0}b", "L\u{2019}été.jpg", "3․5".replacing("․", with: ","), "何？：＊.jpg",
    "l·l.txt",
    "ᠠ\u{180B}.jpg", "👍🏽.jpg", "👩\u{200D}👩\u{200D}👧.jpg", "👩🏽\u{200D}💻.jpg", "❤\u{FE0F}\u{200D}🔥.jpg",
    "1\u{FE0F}\u{20E3}.jpg",
    "🇩🇪.jpg", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}.jpg", "🏳\u{FE0F}\u{200D}🌈.jpg",
    "©\u{FE0F}.txt",
  ])
  func `keeps harmless names of other scripts byte for byte`(_ name: String) throws {
    for form in ContentRule.Form.allCases {
      #expect(Self.fault(name, form) == nil, "\(FileName.formerText(Array(name.utf8)))")
    }
    #expect(try NameSpelling(Array(name.utf8), .portable).candidate(0) == Array(name.utf8))
  }

  // MARK: - Names that change

  /// Names that are displayable but not portable, and their portable forms.
  static let unportable: [(old: String, new: String)] = [
    ("-rf", "%2Drf"), ("+!sh", "%2B!sh"), ("@args", "%40args"), ("~", "%7E"), ("~root", "%7Eroot"),
    (" a", "%20a"), ("a ", "a%20"), ("\u{3000}a\u{A0}", "%E3%80%80a%C2%A0"), (" -a", "%20-a"),
    ("..a", "%2E%2Ea"), ("...a", "%2E%2E%2Ea"), ("a.", "a%2E"), ("a..", "a%2E%2E"), ("a. .", "a%2E%20%2E"),
    ("a\\b", "a%5Cb"), ("..\\..\\x", "%2E%2E%5C..%5Cx"), ("a*b?[c]", "a%2Ab%3F%5Bc%5D"),
    (#"a"b'c`d"#, "a%22b%27c%60d"),
    ("$(sh).jpg", "%24(sh).jpg"), ("a<b>|c", "a%3Cb%3E%7Cc"), ("12:30:05.jpg", "12%3A30%3A05.jpg"),
    ("-100%", "%2D100%25"),
    ("photo\u{2024}jpg", "photo%E2%80%A4jpg"), ("a\u{FF0E}exe", "a%EF%BC%8Eexe"),
    ("a\u{FF3C}b", "a%EF%BC%BCb"),
    ("a\u{1FEF}", "a%E1%BF%AF"), ("a\u{2216}b", "a%E2%88%96b"),
  ]

  /// Reserved names and their portable forms.
  static let reserved: [(old: String, new: String)] = [
    (".git", "%2Egit"), (".GIT", "%2EGIT"), ("git~1", "%67it~1"), ("GIT~2", "%47IT~2"), (".git ", ".git%20"),
    (".git.", ".git%2E"), (".hg", "%2Ehg"), (".svn", "%2Esvn"), (".\u{17F}vn", "%2E\u{17F}vn"),
    ("CVS", "%43VS"),
    (".envrc", "%2Eenvrc"), (".vscode", "%2Evscode"), ("VSCODE~1", "%56SCODE~1"), (".gdbinit", "%2Egdbinit"),
    ("Desktop.ini", "%44esktop.ini"),
    ("de\u{212A}top.ini".replacing("e\u{212A}", with: "es\u{212A}"), "%64es\u{212A}top.ini"),
    ("AUTORUN.INF", "%41UTORUN.INF"), (".DS_Store", "%2EDS_Store"), ("Thumbs.db", "%54humbs.db"),
    (".htaccess", "%2Ehtaccess"),
    ("CON", "%43ON"), ("con.txt", "%63on.txt"), ("nul .tar.gz", "%6Eul .tar.gz"), ("COM1", "%43OM1"),
    ("lpt\u{B2}.x", "%6Cpt\u{B2}.x"),
    ("x.desktop", "x%2Edesktop"), ("x.LNK", "x%2ELNK"), (".url", "%2Eurl"),
    ("x.{ED7BA470-8E54-465E-825C-99712043E01C}", "x%2E{ED7BA470-8E54-465E-825C-99712043E01C}"),
  ]

  @Test(arguments: unportable + reserved)
  func `escapes a name that is not portable unless the form is asWritten`(
    _ example: (old: String, new: String)
  ) throws {
    #expect(Self.fault(example.old) == .nameNotPortable)
    #expect(try Self.spelled(example.old) == example.new)
    #expect(Self.fault(example.old, .asWritten) == nil)
    #expect(try Self.spelled(example.old, .asWritten) == example.old)
  }

  /// Misleading names, as bytes so that the output of the test is not misleading.
  static let misleading: [[UInt8]] =
    [
      "...", " ", ". ", " ..", "\u{2024}", "\u{2025}", "\u{2026}", "\u{FF0E}", "\u{FF0E}\u{FF0E}",
      "\u{FE52}.", "\u{FF61}", "\u{3002}", ".\u{200B}", "\u{200D}", "\u{2060}..", "..\u{FE0F}", "\u{A0}",
      "\u{3000}.",
      "\u{2800}", "a\u{200B}b", "a\u{AD}", "\u{FEFF}a", "a\u{3164}", "a\u{E0041}", "..\u{2215}etc",
      "a\u{2044}b",
      "a\u{FF0F}b", "a\u{29F8}b", "a\u{27CB}b",
      // Joiners, variation selectors and tags in positions where they have no effect.
      ".g\u{200C}it", "a\u{200D}b", "\u{200D}👩", "👩\u{200D}", "क\u{200C}", "a\u{FE0F}", "1\u{FE0F}",
      "👍\u{E0067}",
      "🏴\u{E0067}", "🏴\u{E0067}\u{E0067}\u{E0067}\u{E0067}\u{E0067}\u{E0067}\u{E0067}\u{E007F}",
      "می\u{200C}\u{200C}خ", "é\u{200D}é", "👍\u{FE0F}\u{FE0F}",
    ].map { Array($0.utf8) } + [[0xEF, 0xB7, 0x90]]

  @Test(arguments: misleading, ContentRule.Form.allCases)
  func `changes a misleading name in either form`(
    _ name: [UInt8],
    _ form: ContentRule.Form
  ) throws {
    #expect(NameSpelling.fault(name, form) == .nameMisleading, "\(FileName.text(name))")
    let new = try NameSpelling(name, form).candidate(0)
    #expect(NameSpelling.fault(new, form) == nil, "\(FileName.text(new))")
  }

  /// Names that a record or a terminal cannot display, and their replacements.
  static let undisplayable: [(old: [UInt8], fault: QuarantineReason, new: String)] = [
    (Array("a\nb".utf8), .nameWithControlCharacters, "a%0Ab"),
    (Array("\u{1B}7J".utf8), .nameWithControlCharacters, "%1B7J"),
    (Array("\u{202E}gpj".utf8), .nameWithControlCharacters, "%E2%80%AEgpj"),
    (Array("\u{85}\u{2028}".utf8), .nameWithControlCharacters, "%C2%85%E2%80%A8"),
    ([0x61, 0x7F], .nameWithControlCharacters, "a%7F"),
    ([0x61, 0xFF, 0x62], .nameNotUTF8, "a%FFb"),
    // A surrogate and a slash in two bytes, neither of which is valid UTF-8.
    ([0xED, 0xA0, 0x80], .nameNotUTF8, "%ED%A0%80"), ([0xC0, 0xAF], .nameNotUTF8, "%C0%AF"),
    ([0xC3, 0xA9, 0xFF], .nameNotUTF8, "é%FF"),
    (Array("x..".utf8) + [0xFF], .nameNotUTF8, "x..%FF"),
    (Array("100%\n".utf8), .nameWithControlCharacters, "100%25%0A"),
  ]

  @Test(arguments: undisplayable, ContentRule.Form.allCases)
  func `escapes characters that are not displayable in either form`(
    _ example: (old: [UInt8], fault: QuarantineReason, new: String),
    _ form: ContentRule.Form
  ) throws {
    #expect(NameSpelling.fault(example.old, form) == example.fault)
    #expect(try NameSpelling(example.old, form).candidate(0) == Array(example.new.utf8))
  }

  @Test func `the list of characters that fold to ASCII is complete`() {
    let scalars = (UInt32(0x80)...0x10FFFF).lazy.compactMap { Unicode.Scalar($0) }
    let folded = scalars.filter { scalar in
      let text = NameKey.fold(String(scalar)).unicodeScalars
      return !text.isEmpty && text.allSatisfy(\.isASCII)
    }
    #expect(Set(folded).union("\u{B2}\u{B3}\u{B9}".unicodeScalars) == NameKey.foldedToASCII)
  }

  @Test(arguments: ["nul.写真", "写真.desktop", "写真.LNK", "com\u{B9}.写真", "git~1.写真", "ſ写真.x.url"])
  func `changes the reserved part of a name in another script`(_ name: String) throws {
    #expect(Self.fault(name) == .nameNotPortable)
    #expect(Self.fault(try Self.spelled(name)) == nil)
  }

  // MARK: - Lengths

  @Test func `a shortened name keeps its extension and stays distinct`() throws {
    let old = [UInt8](repeating: 0x0A, count: 250) + Array(".jpg".utf8)
    let other = [UInt8](repeating: 0x0A, count: 249) + Array("\t.jpg".utf8)
    let new = try NameSpelling(old, .portable).candidate(0)
    #expect(new.count <= 255 && new.count > 240)
    #expect(new.suffix(4) == Array(".jpg".utf8)[...])
    #expect(NameSpelling.fault(new, .portable) == nil)
    #expect(try NameSpelling(other, .portable).candidate(0) != new)
    #expect(try NameSpelling(old, .portable).candidate(1) != new)
  }

  @Test func `does not cut a name inside a character sequence`() throws {
    let family = "👩\u{200D}👩\u{200D}👧"
    for padding in 0..<20 {
      let name = String(repeating: "x", count: padding) + String(repeating: family, count: 12) + ":.jpg"
      let new = try NameSpelling(Array(name.utf8), .portable).candidate(1)
      #expect(NameSpelling.fault(new, .portable) == nil)
      #expect(new.count <= 255)
    }
  }
}
