// SPDX-License-Identifier: Apache-2.0

internal import CFreeType
internal import Foundation
internal import LockedCameraCapture

/// The FreeType library of the process.
@MainActor
enum FreeType {
  /// The library, or `nil` if there is no memory for it.
  static let library: FT_Library? = {
    var library: FT_Library?
    return FT_Init_FreeType(&library) == 0 ? library : nil
  }()
}

/// A font file whose glyphs are drawn as outlines, and are therefore independent of the size.
@MainActor
final class FontFace {
  /// The files of the faces: in the extension's bundle, then where distributions install the fonts DejaVu.
  private static let directories = [
    "/extension/Fonts", "/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts",
    "/usr/share/fonts/dejavu-sans-mono-fonts", "/usr/share/fonts/TTF",
  ]
  private static var faces: [String: FontFace?] = [:]

  private let face: FT_Face
  /// The length of an em in font units.
  private let unitsPerEm: Double
  private var glyphs: [UInt32: Glyph] = [:]

  /// The shape of a character in an em of length 1, with the baseline at 0.
  struct Glyph {
    let outline: Outline
    let advance: Double
  }

  /// The distance of the highest character from the baseline, in ems.
  let ascent: Double
  /// The distance of the lowest character from the baseline, in ems.
  let descent: Double

  /// Returns the face for a font, or `nil` if no directory has its file.
  static func face(for font: Font) -> FontFace? {
    let family = font.isMonospaced ? "DejaVuSansMono" : "DejaVuSans"
    let name = font.weight.rawValue >= Font.Weight.semibold.rawValue ? "\(family)-Bold.ttf" : "\(family).ttf"
    if let known = faces[name] { return known }
    let face = directories.lazy.compactMap { FontFace("\($0)/\(name)") }.first
    faces[name] = .some(face)
    return face
  }

  private init?(_ path: String) {
    var face: FT_Face?
    guard FT_New_Face(FreeType.library, path, 0, &face) == 0, let face, face.pointee.units_per_EM > 0 else {
      return nil
    }
    self.face = face
    let em = Double(face.pointee.units_per_EM)
    unitsPerEm = em
    ascent = Double(face.pointee.ascender) / em
    descent = -Double(face.pointee.descender) / em
  }

  /// Whether the absence of fonts was logged.
  private static var isAbsenceLogged = false

  /// Logs an error, once, if the font of the body is missing.
  static func check(in session: LockedCameraCaptureSession) {
    guard !isAbsenceLogged, face(for: .body) == nil else { return }
    isAbsenceLogged = true
    session.log(
      .error,
      "DejaVuSans.ttf: not found, so that text is invisible; add the file to the directory Fonts of the extension's bundle, "
        + "or install fonts-dejavu-core on the host"
    )
  }

  /// Returns whether the font has a character.
  func has(_ character: Unicode.Scalar) -> Bool { FT_Get_Char_Index(face, FT_ULong(character.value)) != 0 }

  /// Returns the glyph of a character; a box for a missing character.
  func glyph(_ character: Unicode.Scalar) -> Glyph {
    let index = FT_Get_Char_Index(face, FT_ULong(character.value))
    if let known = glyphs[index] { return known }
    let glyph = load(index)
    glyphs[index] = glyph
    return glyph
  }

  /// Returns the distance by which two adjacent characters move closer, in ems; negative if they move apart.
  func kerning(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Double {
    guard face.pointee.face_flags & FT_Long(1 << 6) != 0 else { return 0 }
    var distance = FT_Vector()
    let (left, right) = (
      FT_Get_Char_Index(face, FT_ULong(first.value)), FT_Get_Char_Index(face, FT_ULong(second.value))
    )
    guard FT_Get_Kerning(face, left, right, FT_UInt(FT_KERNING_UNSCALED.rawValue), &distance) == 0 else {
      return 0
    }
    return -Double(distance.x) / unitsPerEm
  }

  private func load(_ index: FT_UInt) -> Glyph {
    let flags = FT_Int32(FT_LOAD_NO_SCALE | FT_LOAD_NO_BITMAP)
    guard FT_Load_Glyph(face, index, flags) == 0, let slot = face.pointee.glyph else {
      return Glyph(outline: Outline(), advance: 0)
    }
    // Font units point up.
    let scale = Vector(1 / unitsPerEm, -1 / unitsPerEm)
    return Glyph(
      outline: Outline(slot.pointee.outline, scale: scale),
      advance: Double(slot.pointee.advance.x) / unitsPerEm
    )
  }
}

extension Outline {
  /// Copies an outline of FreeType.
  init(_ outline: FT_Outline, scale: Vector) {
    let count = Int(outline.n_points)
    // Releases of FreeType differ in the signs of the integer types.
    guard let points = outline.points, let tags = UnsafeRawPointer(outline.tags),
      let contours = UnsafeRawPointer(outline.contours)
    else { return }
    for index in 0..<count {
      self.points.append(Vector(Double(points[index].x), Double(points[index].y)) * scale)
      let tag = tags.load(fromByteOffset: index, as: UInt8.self)
      kinds.append(Kind(rawValue: tag & 3) ?? .on)
    }
    for index in 0..<Int(outline.n_contours) {
      ends.append(Int(contours.load(fromByteOffset: 2 * index, as: UInt16.self)))
    }
  }

  /// Calls `body` with a copy for FreeType, in units of 1/64; returns `nil` if the outline is too large for FreeType.
  @MainActor
  func withFreeType<Result>(_ body: (inout FT_Outline) -> Result) -> Result? {
    guard !points.isEmpty, points.count < Int16.max, ends.count < Int16.max else { return nil }
    var outline = FT_Outline()
    guard FT_Outline_New(FreeType.library, FT_UInt(points.count), FT_Int(ends.count), &outline) == 0 else {
      return nil
    }
    defer { FT_Outline_Done(FreeType.library, &outline) }
    let (tags, contours) = (UnsafeMutableRawPointer(outline.tags), UnsafeMutableRawPointer(outline.contours))
    for (index, point) in points.enumerated() {
      // FreeType rasterizes coordinates of up to 15 bits before the point.
      let clamped =
        point.clamped(lowerBound: Vector(repeating: -16_000), upperBound: Vector(repeating: 16_000)) * 64
      outline.points[index] = FT_Vector(x: FT_Pos(clamped.x.rounded()), y: FT_Pos(clamped.y.rounded()))
      tags?.storeBytes(of: kinds[index].rawValue, toByteOffset: index, as: UInt8.self)
    }
    for (index, end) in ends.enumerated() {
      contours?.storeBytes(of: UInt16(end), toByteOffset: 2 * index, as: UInt16.self)
    }
    return body(&outline)
  }
}
