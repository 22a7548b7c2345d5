// SPDX-License-Identifier: Apache-2.0

/// The capabilities of a terminal to show images.
package struct TerminalCapabilities: Hashable, Sendable {
  /// The methods to show an image.
  package enum Graphics: String, Sendable, CaseIterable {
    /// Block characters with two colors each, which every terminal supports.
    case blocks
    /// Sixel graphics of DEC terminals.
    case sixel
    /// The graphics protocol of kitty.
    case kitty
  }

  /// The colors of characters.
  package enum Colours: String, Sendable {
    /// 24-bit colors.
    case full
    /// The 256 colors of xterm.
    case palette256
    /// The 16 basic colors.
    case palette16
  }

  /// The best known method to show an image.
  package var graphics: Graphics
  /// The colours of characters.
  package var colours: Colours
  /// Whether querying the terminal could find a better method.
  package var shouldQuery: Bool
  /// Whether a terminal multiplexer, which does not forward images, runs in the terminal.
  package var isMultiplexed: Bool

  /// Creates capabilities from environment variables, or returns `nil` if the terminal cannot show images.
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
    // The Linux console does not show images and does not reply to queries.
    shouldQuery = graphics == .blocks && name != "linux"
  }

  /// Applies the terminal's reply to a query.
  package mutating func apply(_ answer: TerminalResponse) {
    if answer.hasKitty { graphics = .kitty } else if answer.hasSixel { graphics = .sixel }
  }
}

/// The reply of a terminal to a query for its capabilities.
package struct TerminalResponse: Hashable, Sendable {
  /// Whether the terminal supports kitty graphics.
  package private(set) var hasKitty = false
  /// Whether the terminal supports sixel graphics: attribute 4 of the primary device attributes (DA1).
  package private(set) var hasSixel = false
  /// Whether the reply is complete. The attributes are queried last.
  package private(set) var isComplete = false

  /// Queries the primary device attributes (DA1), to which every terminal replies.
  private static let attributesQuestion = "\u{1B}[c"
  /// Queries whether an image of one pixel could be shown (kitty graphics protocol).
  private static let kittyQuestion = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"

  /// Returns the query. Set `askingKitty` only if the terminal itself reads the query.
  package static func question(askingKitty: Bool) -> String {
    (askingKitty ? kittyQuestion : "") + attributesQuestion
  }

  /// Creates a reply from the bytes received so far. Other bytes are ignored.
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
      isComplete = true
      // The first number is the kind of terminal.
      let sixel = [UInt8(ascii: "4")][...]
      hasSixel = numbers.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).dropFirst()
        .contains(sixel)
      return
    }
  }

  /// The start of a positive reply to the query for kitty graphics.
  private static let kittyAnswer = Array("\u{1B}_Gi=31;OK".utf8)
  /// The start of the reply to the query for attributes.
  private static let attributesAnswer = Array("\u{1B}[?".utf8)

  /// Returns the index of the first occurrence of some bytes.
  private static func place(of wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.first { bytes[$0...].starts(with: wanted) }
  }
}
