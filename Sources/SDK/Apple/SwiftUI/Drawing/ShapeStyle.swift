// SPDX-License-Identifier: Apache-2.0

/// A color or pattern with which shapes and text are filled; SwiftUI's name. The library implements all styles.
public protocol ShapeStyle: Sendable {}

/// A style that can be drawn.
protocol PaintedStyle: ShapeStyle {
  /// The paint of the style.
  var paint: Paint { get }
}

extension ShapeStyle {
  /// The paint of the style; that of content for a style that the library does not implement.
  var resolvedPaint: Paint { (self as? any PaintedStyle)?.paint ?? .color(.primary) }
}

/// A style of any type; SwiftUI's name.
public struct AnyShapeStyle: PaintedStyle {
  let paint: Paint

  /// Creates a style that is drawn as another one.
  public init(_ style: some ShapeStyle) { paint = style.resolvedPaint }
}

/// The colors of an area.
enum Paint: Equatable, Sendable {
  /// One color.
  case color(Color)
  /// A gradient between two points of the unit square over the area.
  case linear(Gradient, start: Vector, end: Vector)
  /// A gradient around a point of the unit square over the area.
  case round(RoundGradient)
  /// Nothing: the area shows the frames of the camera, which hide what was drawn before.
  case cameraFrame
}

extension Color: PaintedStyle {
  var paint: Paint { .color(self) }
}

extension ShapeStyle where Self == Color {
  /// Black.
  public static var black: Color { .black }
  /// White.
  public static var white: Color { .white }
  /// Gray.
  public static var gray: Color { .gray }
  /// Red.
  public static var red: Color { .red }
  /// Orange.
  public static var orange: Color { .orange }
  /// Yellow.
  public static var yellow: Color { .yellow }
  /// Green.
  public static var green: Color { .green }
  /// Mint.
  public static var mint: Color { .mint }
  /// Teal.
  public static var teal: Color { .teal }
  /// Cyan.
  public static var cyan: Color { .cyan }
  /// Blue.
  public static var blue: Color { .blue }
  /// Indigo.
  public static var indigo: Color { .indigo }
  /// Purple.
  public static var purple: Color { .purple }
  /// Pink.
  public static var pink: Color { .pink }
  /// Brown.
  public static var brown: Color { .brown }
  /// A color without opacity.
  public static var clear: Color { .clear }
  /// The color of content.
  public static var primary: Color { .primary }
  /// The color of secondary content.
  public static var secondary: Color { .secondary }
  /// The color of controls.
  public static var tint: Color { .accentColor }
}

/// A translucent background, which darkens the views and frames behind it without blurring them; SwiftUI's name.
public struct Material: PaintedStyle {
  private let opacity: Double

  var paint: Paint { .color(Color(white: 0.1, opacity: opacity)) }

  /// The most translucent material.
  public static let ultraThin = Material(opacity: 0.45)
  /// A translucent material.
  public static let thin = Material(opacity: 0.55)
  /// A material that is neither thin nor thick.
  public static let regular = Material(opacity: 0.65)
  /// A material with little translucency.
  public static let thick = Material(opacity: 0.8)
}

extension ShapeStyle where Self == Material {
  /// The most translucent material.
  public static var ultraThinMaterial: Material { .ultraThin }
  /// A translucent material.
  public static var thinMaterial: Material { .thin }
  /// A material that is neither thin nor thick.
  public static var regularMaterial: Material { .regular }
  /// A material with little translucency.
  public static var thickMaterial: Material { .thick }
}
