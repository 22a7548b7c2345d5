// SPDX-License-Identifier: Apache-2.0

internal import CFontconfig

/// Finds the installed fonts for text (fontconfig).
enum FontFinder {
  /// The location of a font.
  struct FontFile {
    /// The path of the font file.
    var path: String
    /// The index of the font in the file.
    var index: Int
  }

  /// The maximum number of fonts that are searched for a character.
  private static let maximumFonts = 8

  /// Returns a sans-serif font, followed by fonts with additional characters. The result is empty if no fonts
  /// are installed.
  static func find() -> [FontFile] {
    guard let pattern = FcPatternCreate() else { return [] }
    defer { FcPatternDestroy(pattern) }
    FcPatternAddString(pattern, FC_FAMILY, "sans-serif")
    // Only outline fonts can be scaled to every size. Color fonts contain images, which should not be
    // decoded.
    FcPatternAddBool(pattern, FC_OUTLINE, FcBool(FcTrue))
    FcPatternAddBool(pattern, FC_COLOR, FcBool(FcFalse))
    guard FcConfigSubstitute(nil, pattern, FcMatchPattern) != 0 else { return [] }
    FcDefaultSubstitute(pattern)
    var result = FcResultNoMatch
    guard let found = FcFontSort(nil, pattern, FcBool(FcTrue), nil, &result) else { return [] }
    defer { FcFontSetDestroy(found) }
    return (0..<Int(found.pointee.nfont)).lazy.compactMap { place(found.pointee.fonts[$0]) }
      .prefix(maximumFonts).map(\.self)
  }

  /// Returns the location of a font, or `nil` if it is not a monochrome outline font.
  private static func place(_ font: OpaquePointer?) -> FontFile? {
    var path: UnsafeMutablePointer<FcChar8>?
    var (index, isOutline, isColour): (Int32, FcBool, FcBool) = (0, 0, 0)
    guard FcPatternGetString(font, FC_FILE, 0, &path) == FcResultMatch, let path,
      FcPatternGetBool(font, FC_OUTLINE, 0, &isOutline) == FcResultMatch, isOutline != 0
    else { return nil }
    guard FcPatternGetBool(font, FC_COLOR, 0, &isColour) != FcResultMatch || isColour == 0 else { return nil }
    // Without an index, the font is the first in the file.
    if FcPatternGetInteger(font, FC_INDEX, 0, &index) != FcResultMatch { index = 0 }
    return FontFile(path: String(cString: path), index: Int(index))
  }
}
