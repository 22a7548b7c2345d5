// SPDX-License-Identifier: Apache-2.0

internal import CFreeType

/// Draws text in an image (FreeType), from left to right and glyph by glyph.
///
/// All font files are opened in the initializer, because the program is confined before it draws text.
final class TextRenderer {
  private let library: FT_Library
  private let faces: [FT_Face]
  /// The current size of each face. It is cached because setting a size is slow.
  private var sizes: [Int]

  /// Loads hinted outlines, and no bitmaps.
  private static let loading = FT_Int32(FT_LOAD_NO_BITMAP)
  /// The unit of FreeType lengths: 64 per pixel.
  private static let unit = 64

  /// Creates a text renderer, or returns `nil` if no font can be opened.
  init?(_ fonts: [FontFinder.FontFile]) {
    var made: FT_Library?
    guard FT_Init_FreeType(&made) == 0, let library = made else { return nil }
    faces = fonts.compactMap { font in
      var face: FT_Face?
      guard FT_New_Face(library, font.path, FT_Long(font.index), &face) == 0 else { return nil }
      return face
    }
    sizes = faces.map { _ in 0 }
    self.library = library
    // FT_Done_FreeType in `deinit` also releases the faces.
    guard !faces.isEmpty else { return nil }
  }

  deinit { FT_Done_FreeType(library) }

  /// Returns the width of a text in a font size, in pixels.
  func width(of text: String, size: Int) -> Int {
    text.unicodeScalars.reduce(0) { $0 + (glyph($1, size, FT_Int32(0)).map(Self.advance) ?? 0) }
  }

  /// Draws a text from a column on, with its baseline on a row.
  func draw(
    _ text: String,
    size: Int,
    column: Int,
    baseline: Int,
    colour: UInt32,
    in canvas: WindowMemory.Canvas
  ) {
    var column = column
    for scalar in text.unicodeScalars {
      guard let glyph = glyph(scalar, size, FT_Int32(FT_LOAD_RENDER)) else { continue }
      let (left, top) = (column + Int(glyph.pointee.bitmap_left), baseline - Int(glyph.pointee.bitmap_top))
      Self.blend(glyph.pointee.bitmap, left, top, colour, canvas)
      column += Self.advance(glyph)
    }
  }

  /// Returns the glyph of the first font that has the character, or the first font's glyph for missing
  /// characters.
  private func glyph(_ scalar: Unicode.Scalar, _ size: Int, _ how: FT_Int32) -> FT_GlyphSlot? {
    let character = FT_ULong(scalar.value)
    let index = faces.firstIndex { FT_Get_Char_Index($0, character) != 0 } ?? 0
    if sizes[index] != size {
      guard FT_Set_Pixel_Sizes(faces[index], 0, FT_UInt(max(1, size))) == 0 else { return nil }
      sizes[index] = size
    }
    let number = FT_Get_Char_Index(faces[index], character)
    guard FT_Load_Glyph(faces[index], number, Self.loading | how) == 0 else { return nil }
    return faces[index].pointee.glyph
  }

  private static func advance(_ glyph: FT_GlyphSlot) -> Int {
    (Int(glyph.pointee.advance.x) + unit / 2) / unit
  }

  /// Blends a color into an image by the coverage of a glyph, clipped to the image.
  private static func blend(
    _ letter: FT_Bitmap,
    _ left: Int,
    _ top: Int,
    _ colour: UInt32,
    _ canvas: WindowMemory.Canvas
  ) {
    guard letter.pixel_mode == UInt8(FT_PIXEL_MODE_GRAY.rawValue), let rows = letter.buffer else { return }
    let pixels = canvas.bytes.bindMemory(to: UInt32.self)
    let (width, height) = (canvas.size.width, canvas.size.height)
    for row in max(0, -top)..<max(max(0, -top), min(Int(letter.rows), height - top)) {
      let line = rows + row * Int(letter.pitch)
      for column in max(0, -left)..<max(max(0, -left), min(Int(letter.width), width - left)) {
        let place = (top + row) * width + left + column
        pixels[place] = mix(colour, pixels[place], UInt32(line[column]))
      }
    }
  }

  /// Returns a mix of two colors. `share` is the share of the upper color, from 0 to 255.
  private static func mix(_ over: UInt32, _ under: UInt32, _ share: UInt32) -> UInt32 {
    var mixed: UInt32 = 0
    for shift in [UInt32(0), 8, 16] {
      let (new, old) = (over >> shift & 0xFF, under >> shift & 0xFF)
      mixed |= ((new * share + old * (255 - share)) / 255) << shift
    }
    return mixed
  }
}
