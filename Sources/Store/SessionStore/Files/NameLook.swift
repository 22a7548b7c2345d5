// SPDX-License-Identifier: Apache-2.0

/// What a character of a name looks like to a person, as far as that can deceive.
enum NameLook {
  /// As itself.
  case plain
  /// As a space.
  case blank
  /// As one full stop or more.
  case dot
  /// As the slash, which no name can have.
  case slash
  /// As nothing.
  case nothing
  /// It moves the cursor, ends a line or turns the direction of the text around it.
  case controlling

  /// What a character looks like.
  ///
  /// Invisible is what Unicode calls a format character or says is to be ignored by default, with the joiners and
  /// selectors of some scripts and pictographs: two names may not look the same.
  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    guard value >= 0x7F else {
      self = value < 0x20 ? .controlling : value == 0x20 ? .blank : value == 0x2E ? .dot : .plain
      return
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: self = .controlling
    case _ where properties.isBidiControl: self = .controlling
    case .format: self = .nothing
    case _ where properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint: self = .nothing
    case _ where Self.slashes.contains(value): self = .slash
    case _ where Self.dots.contains(value): self = .dot
    case .spaceSeparator: self = .blank
    // The braille pattern without dots.
    default: self = value == 0x2800 ? .blank : .plain
    }
  }

  /// Fraction slash, division slash, big solidus, fullwidth solidus, a diagonal for drawing boxes, and the signs that
  /// Unicode's table of confusable characters (UTS 39) lists and that are no letters of a living script.
  private static let slashes: Set<UInt32> = [
    0x2044, 0x2215, 0x2571, 0x29F8, 0xFF0F, 0x2041, 0x27CB, 0x2F03, 0x31D3, 0x1D23A,
  ]

  /// What Unicode's table of confusable characters (UTS 39) and its compatibility mappings take for full stops, in the
  /// middle of a line or at its foot, one or several.
  private static let dots: Set<UInt32> = [
    0x2024, 0x2025, 0x2026, 0xFE52, 0xFF0E, 0xFF61, 0x3002, 0xFE12, 0xFE19, 0xFE30, 0x22EF, 0x2E31, 0x2E33,
    0xB7, 0x0387, 0x2022, 0x2027, 0x2219, 0x22C5, 0x30FB, 0xFF65, 0x05C5, 0x0660, 0x06D4, 0x06F0, 0x0701,
    0x0702, 0xA4F8, 0xA4FA, 0xA60E, 0x10101, 0x10A50, 0x1D16D,
  ]
}
