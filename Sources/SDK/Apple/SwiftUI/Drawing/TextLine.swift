// SPDX-License-Identifier: Apache-2.0

/// A line of text in a font, from left to right, one glyph per character.
struct TextLine: Equatable, Sendable {
  /// The characters of the line.
  let text: String
  /// The font of the line.
  let font: Font

  /// The outline of the glyphs in points, with the left end of the baseline at (0, 0).
  @MainActor
  var outline: Outline {
    guard let face = FontFace.face(for: font) else { return Outline() }
    var outline = Outline()
    let size = Double(font.size)
    walk(face) { glyph, position in
      let transform = Transform(x: Vector(size, 0), y: Vector(0, size), origin: Vector(position * size, 0))
      outline.append(glyph.outline.transformed(by: transform))
    }
    return outline
  }

  /// The width in points.
  @MainActor
  var width: Double {
    guard let face = FontFace.face(for: font) else { return 0 }
    return walk(face) { _, _ in } * Double(font.size)
  }

  /// A rectangle in points that contains the glyphs, with the left end of the baseline at (0, 0).
  @MainActor
  var frame: Bounds {
    let (size, face) = (Double(font.size), FontFace.face(for: font))
    // Glyphs may exceed their advance.
    let margin = size / 5
    return Bounds(
      low: Vector(-margin, -(face?.ascent ?? 0) * size - margin),
      high: Vector(width + margin, (face?.descent ?? 0) * size + margin)
    )
  }

  /// Calls `body` with each glyph and its position in ems, and returns the width in ems.
  @MainActor @discardableResult
  private func walk(_ face: FontFace, _ body: (FontFace.Glyph, Double) -> Void) -> Double {
    var position = 0.0
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if let previous { position -= face.kerning(previous, scalar) }
      let glyph = face.glyph(scalar)
      body(glyph, position)
      position += glyph.advance
      previous = scalar
    }
    return position
  }
}
