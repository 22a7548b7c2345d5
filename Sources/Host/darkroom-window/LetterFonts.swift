// SPDX-License-Identifier: Apache-2.0

internal import CFontconfig

/// The fonts of the machine that words are written with (fontconfig).
enum LetterFonts {
  /// One of them.
  struct Place {
    /// The file.
    var path: String
    /// Which of the file's it is.
    var index: Int
  }

  /// The most that are looked into for a character.
  private static let most = 8

  /// That of ordinary text, and then those that have what it lacks; none is found where none is installed.
  static func find() -> [Place] {
    guard let pattern = FcPatternCreate() else { return [] }
    defer { FcPatternDestroy(pattern) }
    FcPatternAddString(pattern, FC_FAMILY, "sans-serif")
    // Only letters that are outlines have every size, and no font's pictures are to be decoded.
    FcPatternAddBool(pattern, FC_OUTLINE, FcBool(FcTrue))
    FcPatternAddBool(pattern, FC_COLOR, FcBool(FcFalse))
    guard FcConfigSubstitute(nil, pattern, FcMatchPattern) != 0 else { return [] }
    FcDefaultSubstitute(pattern)
    var result = FcResultNoMatch
    guard let found = FcFontSort(nil, pattern, FcBool(FcTrue), nil, &result) else { return [] }
    defer { FcFontSetDestroy(found) }
    return (0..<Int(found.pointee.nfont)).lazy.compactMap { place(found.pointee.fonts[$0]) }
      .prefix(most).map(\.self)
  }

  /// Where a font is; nil: it is not one of outlines in one colour.
  private static func place(_ font: OpaquePointer?) -> Place? {
    var path: UnsafeMutablePointer<FcChar8>?
    var (index, isOutline, isColour): (Int32, FcBool, FcBool) = (0, 0, 0)
    guard FcPatternGetString(font, FC_FILE, 0, &path) == FcResultMatch, let path,
      FcPatternGetBool(font, FC_OUTLINE, 0, &isOutline) == FcResultMatch, isOutline != 0
    else { return nil }
    guard FcPatternGetBool(font, FC_COLOR, 0, &isColour) != FcResultMatch || isColour == 0 else { return nil }
    // None is the first.
    if FcPatternGetInteger(font, FC_INDEX, 0, &index) != FcResultMatch { index = 0 }
    return Place(path: String(cString: path), index: Int(index))
  }
}
