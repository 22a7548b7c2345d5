// SPDX-License-Identifier: Apache-2.0

/// What a terminal can show pictures with.
package struct TerminalAbility: Hashable, Sendable {
  /// The ways to show a picture.
  package enum Graphics: String, Sendable, CaseIterable {
    /// Characters that are parts of a square, in two colours each; every terminal has them.
    case blocks
    /// Sixel graphics, as DEC's terminals had them.
    case sixel
    /// The graphics protocol of kitty.
    case kitty
  }

  /// The colours that characters can have.
  package enum Colours: String, Sendable {
    /// Red, green and blue of 8 bits each.
    case full
    /// The 256 of xterm.
    case palette256
    /// The 16 that every terminal has.
    case palette16
  }

  /// The best way to show a picture, as far as is known.
  package var graphics: Graphics
  /// The colours of characters.
  package var colours: Colours
  /// Whether asking the terminal could tell more.
  package var isWorthAsking: Bool
  /// Whether something stands between this program and the terminal that would not pass pictures on.
  package var isMultiplexed: Bool

  /// What the environment says; nil: pictures cannot be shown at all.
  package init?(environment: (String) -> String?) {
    let name = environment("TERM") ?? ""
    guard !name.isEmpty, name != "dumb" else { return nil }
    let colour = environment("COLORTERM") ?? ""
    isMultiplexed =
      environment("TMUX") != nil || environment("STY") != nil || name.hasPrefix("screen")
      || name.hasPrefix("tmux")
    let program = isMultiplexed ? "" : environment("TERM_PROGRAM") ?? ""
    let isKitty = !isMultiplexed && (name == "xterm-kitty" || name == "xterm-ghostty" || program == "ghostty")
    let isSixel =
      ["foot", "mlterm", "contour", "yaft"].contains { name.hasPrefix($0) } || program == "WezTerm"
    graphics = isKitty ? .kitty : isSixel ? .sixel : .blocks
    if ["truecolor", "24bit"].contains(colour) || name.hasSuffix("-direct") || isKitty || isSixel {
      colours = .full
    } else {
      colours = name.contains("256color") ? .palette256 : .palette16
    }
    // The console of the kernel shows no pictures, and has no answer.
    isWorthAsking = graphics == .blocks && name != "linux"
  }

  /// Takes notice of what the terminal itself has said.
  package mutating func note(_ answer: TerminalAnswer) {
    if answer.hasKitty { graphics = .kitty } else if answer.hasSixel { graphics = .sixel }
  }
}

/// What a terminal has answered when it was asked what it is.
package struct TerminalAnswer: Hashable, Sendable {
  /// Whether it has the graphics of kitty.
  package private(set) var hasKitty = false
  /// Whether it has sixel graphics: the attribute 4 among the primary ones (DA1).
  package private(set) var hasSixel = false
  /// Whether it has said everything: its attributes, which are asked for last.
  package private(set) var isWhole = false

  /// Asks for the attributes (DA1), which every terminal answers.
  private static let attributesQuestion = "\u{1B}[c"
  /// Asks whether a picture of one pixel could be shown, as kitty's protocol has it.
  private static let kittyQuestion = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"

  /// What to ask; kitty's question only where a terminal reads it itself.
  package static func question(askingKitty: Bool) -> String {
    (askingKitty ? kittyQuestion : "") + attributesQuestion
  }

  /// Reads what came back so far. Whatever is not an answer means nothing.
  package init(_ bytes: [UInt8]) {
    hasKitty = Self.place(of: Self.kittyAnswer, in: bytes[...]) != nil
    var rest = bytes[...]
    while let begin = Self.place(of: Self.attributesAnswer, in: rest) {
      rest = rest[(begin + Self.attributesAnswer.count)...]
      let numbers = rest.prefix {
        ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || $0 == UInt8(ascii: ";")
      }
      rest = rest[numbers.endIndex...]
      guard rest.first == UInt8(ascii: "c") else { continue }
      isWhole = true
      // The first is the kind of terminal.
      let sixel = [UInt8(ascii: "4")][...]
      hasSixel = numbers.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).dropFirst()
        .contains(sixel)
      return
    }
  }

  /// How the answer to the question of kitty's graphics begins.
  private static let kittyAnswer = Array("\u{1B}_Gi=31;OK".utf8)
  /// How the answer to the question of the attributes begins.
  private static let attributesAnswer = Array("\u{1B}[?".utf8)

  /// Where some bytes stand for the first time.
  private static func place(of wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.first { bytes[$0...].starts(with: wanted) }
  }
}
