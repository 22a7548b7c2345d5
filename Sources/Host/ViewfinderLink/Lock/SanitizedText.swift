// SPDX-License-Identifier: Apache-2.0

/// Sanitizes text of an app or a PAM module, so that it is one short line.
package enum SanitizedText {
  /// The maximum number of combining marks on a letter. More marks would overlap adjacent lines.
  private static let maximumMarks = 2
  /// The character that replaces the end of a truncated text.
  private static let ellipsis: Unicode.Scalar = "…"

  /// Returns a text as one line with at most `maximum` Unicode scalars.
  ///
  /// Invisible characters, direction controls, private-use and unassigned characters are removed. White space
  /// is collapsed to single spaces.
  package static func line(_ text: String, maximum: Int) -> String {
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
        // A leading mark would combine with the character before the text.
        guard count > 0, !isSpaceDue, marks <= maximumMarks else { continue }
      case .letter: marks = 0
      }
      let needed = isSpaceDue ? 2 : 1
      guard count + needed <= maximum else {
        if count == maximum, let last = kept.indices.last { kept.remove(at: last) }
        kept.append(ellipsis)
        break
      }
      if isSpaceDue { kept.append(" ") }
      kept.append(scalar)
      (count, isSpaceDue) = (count + needed, false)
    }
    return String(kept)
  }

  /// Returns a name for use in quotation marks. Quotation marks in the name are replaced, so that it cannot
  /// appear to end early.
  package static func name(_ text: String, maximum: Int) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { plain.append(scalar.properties.isQuotationMark ? "'" : scalar) }
    return line(String(plain), maximum: maximum)
  }

  /// The effect of a character on a line.
  private enum Kind {
    /// A visible character.
    case letter
    /// A mark that combines with the previous character.
    case mark
    /// White space.
    case space
    /// An invisible or invalid character.
    case nothing
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    let properties = scalar.properties
    // The empty Braille pattern looks like a space.
    if properties.isWhitespace || scalar == "\u{2800}" { return .space }
    if properties.isDefaultIgnorableCodePoint || properties.isBidiControl { return .nothing }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned: return .nothing
    case .nonspacingMark, .enclosingMark: return .mark
    default: return .letter
    }
  }
}
