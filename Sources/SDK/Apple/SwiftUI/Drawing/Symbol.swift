// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A symbol in a unit square: a character of the font, or a drawing.
@MainActor
struct Symbol {
  private let name: String

  init(_ name: String) { self.name = name }

  /// The characters with the shapes of Apple's symbols.
  private static let characters: [String: Unicode.Scalar] = [
    "xmark": "✕", "checkmark": "✓", "plus": "+", "minus": "−", "bolt": "⚡", "bolt.fill": "⚡", "gear": "⚙",
    "gearshape": "⚙", "gearshape.fill": "⚙", "exclamationmark.triangle": "⚠",
    "exclamationmark.triangle.fill": "⚠",
    "arrow.up.forward": "↗", "arrow.up.right": "↗", "arrow.up.forward.app": "↗", "sun.min": "☼",
    "sun.max": "☀", "sun.max.fill": "☀", "moon": "☾", "moon.fill": "☾", "star": "☆", "star.fill": "★",
    "heart": "♡",
    "heart.fill": "♥", "play": "▷", "play.fill": "▶", "stop.fill": "■", "stop": "□", "chevron.left": "❮",
    "chevron.right": "❯", "arrow.left": "←", "arrow.right": "→", "arrow.up": "↑", "arrow.down": "↓",
    "arrow.clockwise": "↻", "arrow.counterclockwise": "↺", "arrow.triangle.2.circlepath": "⟳",
    "arrow.triangle.2.circlepath.camera": "⟳", "arrow.uturn.backward": "↶", "info.circle": "ⓘ", "pencil": "✎",
    "scissors": "✂", "envelope": "✉", "music.note": "♪", "line.3.horizontal": "☰", "flag.fill": "⚑",
    "flag": "⚐",
  ]

  private static var outlines: [String: Outline] = [:]

  /// The outline of the symbol.
  var outline: Outline {
    if let known = Self.outlines[name] { return known }
    let outline = drawing
    Self.outlines[name] = outline
    return outline
  }

  private var drawing: Outline {
    let parts = name.split(separator: ".")
    if parts.contains("slash") {
      let base = Symbol(parts.filter { $0 != "slash" }.joined(separator: "."))
      return Self.joined(base.outline, Self.slash())
    }
    if let character = Self.characters[name], let outline = Self.fitted(character) { return outline }
    return Self.drawings[name]?() ?? Self.box()
  }

  /// Returns the glyph of a character, scaled to the unit square, or `nil` if the font has no glyph.
  private static func fitted(_ character: Unicode.Scalar) -> Outline? {
    guard let face = FontFace.face(for: .body), face.has(character) else { return nil }
    let outline = face.glyph(character).outline
    guard let bounds = outline.bounds, bounds.size.max() > 0 else { return nil }
    let scale = 0.85 / bounds.size.max()
    let offset = Vector(0.5, 0.5) - bounds.center * scale
    return outline.transformed(by: Transform(x: Vector(scale, 0), y: Vector(0, scale), origin: offset))
  }

  private static let drawings: [String: @MainActor () -> Outline] = [
    "circle": { ring(1) },
    "circle.fill": { disc(1) },
    "circle.inset.filled": { joined(ring(1), disc(0.7)) },
    "record.circle": { joined(ring(1), disc(0.6)) },
    "record.circle.fill": { joined(ring(1), disc(0.6)) },
    "camera": { camera(isFilled: false) },
    "camera.fill": { camera(isFilled: true) },
    "video": { video(isFilled: false) },
    "video.fill": { video(isFilled: true) },
    "pause.fill": { joined(bar(0.2, 0.4), bar(0.6, 0.8)) },
    "pause": { joined(bar(0.2, 0.4), bar(0.6, 0.8)) },
    "photo": { box() },
    "square": { box() },
    "film": { film() },
    "film.stack": { film() },
    "flashlight.on.fill": { flashlight() },
    "flashlight.off.fill": { flashlight() },
    "lock.fill": { lock() },
    "lock": { lock() },
  ]

  private static func joined(_ first: Outline, _ second: Outline) -> Outline {
    var outline = first
    outline.append(second)
    return outline
  }

  /// Returns a circle with a diameter.
  private static func circle(_ diameter: Double, at center: CGPoint = CGPoint(x: 0.5, y: 0.5)) -> Path {
    Path(
      ellipseIn: CGRect(
        x: center.x - diameter / 2,
        y: center.y - diameter / 2,
        width: diameter,
        height: diameter
      )
    )
  }

  private static func disc(_ diameter: Double) -> Outline { circle(diameter * 0.9).outline }

  private static func ring(_ diameter: Double) -> Outline { stroked(circle(diameter * 0.86)) }

  private static func bar(_ left: Double, _ right: Double) -> Outline {
    Path(CGRect(x: left, y: 0.12, width: right - left, height: 0.76)).outline
  }

  /// Returns a box, for symbols and images that cannot be drawn.
  static func box() -> Outline {
    stroked(Path(roundedRect: CGRect(x: 0.08, y: 0.12, width: 0.84, height: 0.76), cornerRadius: 0.12))
  }

  /// Returns the outline of a line of a tenth of the square.
  private static func stroked(_ path: Path) -> Outline {
    // FreeType strokes in 1/64: a larger square keeps the curves smooth.
    let large = path.replacing(path.outline.transformed(by: .scale(Vector(repeating: 100))))
    return large.stroked(StrokeStyle(lineWidth: 8, lineCap: .round, lineJoin: .round))
      .transformed(by: .scale(Vector(repeating: 0.01)))
  }

  private static func slash() -> Outline {
    var path = Path()
    path.move(to: CGPoint(x: 0.12, y: 0.12))
    path.addLine(to: CGPoint(x: 0.88, y: 0.88))
    return stroked(path)
  }

  private static func film() -> Outline {
    var path = Path(roundedRect: CGRect(x: 0.08, y: 0.16, width: 0.84, height: 0.68), cornerRadius: 0.08)
    for x in [0.28, 0.72] {
      path.move(to: CGPoint(x: x, y: 0.16))
      path.addLine(to: CGPoint(x: x, y: 0.84))
    }
    return stroked(path)
  }

  private static func flashlight() -> Outline {
    var path = Path(roundedRect: CGRect(x: 0.28, y: 0.05, width: 0.44, height: 0.12), cornerRadius: 0.03)
    path.addLines([
      CGPoint(x: 0.28, y: 0.22), CGPoint(x: 0.72, y: 0.22), CGPoint(x: 0.62, y: 0.4),
      CGPoint(x: 0.62, y: 0.95), CGPoint(x: 0.38, y: 0.95), CGPoint(x: 0.38, y: 0.4),
    ])
    path.closeSubpath()
    return path.outline
  }

  private static func camera(isFilled: Bool) -> Outline {
    var path = Path(roundedRect: CGRect(x: 0.05, y: 0.26, width: 0.9, height: 0.6), cornerRadius: 0.1)
    path.addPath(Path(roundedRect: CGRect(x: 0.33, y: 0.14, width: 0.34, height: 0.12), cornerRadius: 0.04))
    let lens = circle(0.36, at: CGPoint(x: 0.5, y: 0.55))
    guard isFilled else {
      path.addPath(lens)
      return stroked(path)
    }
    // The contour of the lens turns the other way, so that the lens is a hole.
    return joined(
      path.outline,
      lens.outline.transformed(by: Transform(x: Vector(-1, 0), origin: Vector(1, 0)))
    )
  }

  private static func video(isFilled: Bool) -> Outline {
    var path = Path(roundedRect: CGRect(x: 0.05, y: 0.25, width: 0.62, height: 0.5), cornerRadius: 0.1)
    path.addLines([
      CGPoint(x: 0.72, y: 0.45), CGPoint(x: 0.95, y: 0.3), CGPoint(x: 0.95, y: 0.7),
      CGPoint(x: 0.72, y: 0.55),
    ])
    path.closeSubpath()
    return isFilled ? path.outline : stroked(path)
  }

  private static func lock() -> Outline {
    var shackle = Path()
    shackle.move(to: CGPoint(x: 0.3, y: 0.48))
    shackle.addLine(to: CGPoint(x: 0.3, y: 0.3))
    shackle.addArc(
      center: CGPoint(x: 0.5, y: 0.3),
      radius: 0.2,
      startAngle: .degrees(180),
      endAngle: .degrees(360),
      clockwise: false
    )
    shackle.addLine(to: CGPoint(x: 0.7, y: 0.48))
    let body = Path(roundedRect: CGRect(x: 0.2, y: 0.46, width: 0.6, height: 0.44), cornerRadius: 0.08)
    return joined(body.outline, stroked(shackle))
  }
}
