// SPDX-License-Identifier: Apache-2.0

/// The appearance of a character in a name, as far as it can deceive a user.
enum CharacterAppearance {
  /// The character looks like itself.
  case plain
  /// The character looks like a space.
  case blank
  /// The character looks like one or more full stops.
  case dot
  /// The character looks like a slash, which no name can contain.
  case slash
  /// The character is invisible.
  case invisible
  /// The character moves the cursor, ends a line or changes the direction of surrounding text.
  case control

  /// Creates the appearance of a character.
  ///
  /// Invisible are Unicode format characters and default-ignorable characters, including the joiners and
  /// variation selectors of some scripts and pictographs. With them, two different names can look the same.
  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    guard value >= 0x7F else {
      self = value < 0x20 ? .control : value == 0x20 ? .blank : value == 0x2E ? .dot : .plain
      return
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: self = .control
    case _ where properties.isBidiControl: self = .control
    case .format: self = .invisible
    case _ where properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint:
      self = .invisible
    case _ where Self.slashes.contains(value): self = .slash
    case _ where Self.dots.contains(value): self = .dot
    case .spaceSeparator: self = .blank
    // U+2800 is the braille pattern without dots.
    default: self = value == 0x2800 ? .blank : .plain
    }
  }

  /// The characters that look like a slash.
  ///
  /// These are fraction slash, division slash, big solidus, fullwidth solidus, a box-drawing diagonal, and
  /// the confusables of UTS 39 that are not letters of a living script.
  private static let slashes: Set<UInt32> = [
    0x2044, 0x2215, 0x2571, 0x29F8, 0xFF0F, 0x2041, 0x27CB, 0x2F03, 0x31D3, 0x1D23A,
  ]

  /// The characters that look like one or more full stops, raised or on the baseline.
  ///
  /// The sources are the confusables of UTS 39 and the compatibility mappings of Unicode.
  private static let dots: Set<UInt32> = [
    0x2024, 0x2025, 0x2026, 0xFE52, 0xFF0E, 0xFF61, 0x3002, 0xFE12, 0xFE19, 0xFE30, 0x22EF, 0x2E31, 0x2E33,
    0xB7, 0x0387, 0x2022, 0x2027, 0x2219, 0x22C5, 0x30FB, 0xFF65, 0x05C5, 0x0660, 0x06D4, 0x06F0, 0x0701,
    0x0702, 0xA4F8, 0xA4FA, 0xA60E, 0x10101, 0x10A50, 0x1D16D,
  ]
}
