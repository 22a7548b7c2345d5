// SPDX-License-Identifier: Apache-2.0

/// Words that somebody else has chosen, an app or a module of PAM, made such that they are one short line and nothing more.
package enum PlainWords {
  /// The most marks that stand upon one letter: more would grow over the lines beside it.
  private static let mostMarks = 2
  /// What is put where a text was cut.
  private static let ellipsis: Unicode.Scalar = "…"

  /// A text of at most so many characters (Unicode scalars), in one line. What cannot be seen, what changes the direction
  /// of writing and what belongs to no script goes; each stretch of white space becomes one space.
  package static func line(_ text: String, most: Int) -> String {
    var kept = String.UnicodeScalarView()
    var (count, marks) = (0, 0)
    var isSpaceDue = false
    for scalar in text.unicodeScalars {
      switch kind(scalar) {
      case .nothing: continue
      case .space:
        isSpaceDue = count > 0
        continue
      case .mark:
        marks += 1
        // At the beginning it would stand upon what is before the text.
        guard count > 0, !isSpaceDue, marks <= mostMarks else { continue }
      case .letter: marks = 0
      }
      let needed = isSpaceDue ? 2 : 1
      guard count + needed <= most else {
        if count == most, let last = kept.indices.last { kept.remove(at: last) }
        kept.append(ellipsis)
        break
      }
      if isSpaceDue { kept.append(" ") }
      kept.append(scalar)
      (count, isSpaceDue) = (count + needed, false)
    }
    return String(kept)
  }

  /// A name that stands in quotation marks: it has none of its own, with which it could seem to end before it does.
  package static func name(_ text: String, most: Int) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { plain.append(scalar.properties.isQuotationMark ? "'" : scalar) }
    return line(String(plain), most: most)
  }

  /// What a character does to a line.
  private enum Kind {
    /// It is seen.
    case letter
    /// It stands upon the one before it.
    case mark
    /// It is white.
    case space
    /// It is not seen, or is none.
    case nothing
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    let properties = scalar.properties
    // The pattern of no dots of Braille looks like a space.
    if properties.isWhitespace || scalar == "\u{2800}" { return .space }
    if properties.isDefaultIgnorableCodePoint || properties.isBidiControl { return .nothing }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned: return .nothing
    case .nonspacingMark, .enclosingMark: return .mark
    default: return .letter
    }
  }
}
