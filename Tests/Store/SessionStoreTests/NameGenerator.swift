// SPDX-License-Identifier: Apache-2.0

@testable import SessionStore

/// A generator of random names, many of which are near the limits of the naming rule.
struct NameGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator that returns the same names for the same seed.
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Parts of names that are significant for the naming rule.
  private static let pieces: [[UInt8]] =
    [
      ".", "..", " ", "-", "+", "~", "@", "%", "%2E", "%0A", "/".replacing("/", with: "\u{2215}"), "\\", "*",
      "'", "$", ":", "\n",
      "\u{1B}", "\u{202E}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{FE0F}", "\u{AD}", "\u{A0}", "\u{3000}",
      "\u{2024}", "\u{2026}",
      "\u{FF0E}", ".git", "GIT~1", ".hg", "con", "COM1", "nul", "desktop.ini", ".desktop", ".lnk", ".url",
      "HEAD", "head", "objects",
      "refs", "commondir", ".jpg", ".JPG", "a", "A", "b", "é", "e\u{301}", "É", "ß", "ss", "ẞ", "ı", "i", "I",
      "K", "\u{212A}", "ſ", "s",
      "ς", "Σ", "👩", "👧", "🏽", "❤", "🏴", "\u{E0067}", "\u{E007F}", "\u{20E3}", "1", "क", "्", "م", "خ", "葛",
      "\u{E0100}", "日本",
      "\u{1FEF}", "\u{345}", "\u{130}",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [UInt8](repeating: 0x78, count: 120)]

  /// Returns distinct names for a directory.
  mutating func directory() -> [[UInt8]] {
    var names: Set<[UInt8]> = []
    let count = Int.random(in: 1...12, using: &self)
    while names.count < count {
      var name: [UInt8] = []
      for _ in 0..<Int.random(in: 1...5, using: &self) {
        name += Self.pieces.randomElement(using: &self) ?? []
      }
      name = Array(name.prefix(255))
      if name != [0x2E], name != [0x2E, 0x2E] { names.insert(name) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
