// SPDX-License-Identifier: Apache-2.0

/// A color of the color space sRGB; SwiftUI's name and members.
public struct Color: Hashable, Sendable {
  /// The components: red, green, blue and opacity, from 0 to 1.
  let components: SIMD4<Double>

  init(_ components: SIMD4<Double>) {
    self.components = components.clamped(lowerBound: .zero, upperBound: .one)
  }

  /// Creates a color from components between 0 and 1.
  public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    self.init(SIMD4(red, green, blue, opacity))
  }

  /// Creates a shade of gray from a component between 0 and 1.
  public init(white: Double, opacity: Double = 1) { self.init(SIMD4(white, white, white, opacity)) }

  /// Returns the color with its opacity multiplied by `opacity`.
  public func opacity(_ opacity: Double) -> Color {
    Color(SIMD4(components.x, components.y, components.z, components.w * opacity))
  }

  /// Black.
  public static let black = Color(white: 0)
  /// White.
  public static let white = Color(white: 1)
  /// Gray.
  public static let gray = Color(red: 0.56, green: 0.56, blue: 0.58)
  /// Red.
  public static let red = Color(red: 1, green: 0.27, blue: 0.23)
  /// Orange.
  public static let orange = Color(red: 1, green: 0.62, blue: 0.04)
  /// Yellow.
  public static let yellow = Color(red: 1, green: 0.84, blue: 0.04)
  /// Green.
  public static let green = Color(red: 0.19, green: 0.82, blue: 0.35)
  /// Mint.
  public static let mint = Color(red: 0.4, green: 0.83, blue: 0.81)
  /// Teal.
  public static let teal = Color(red: 0.25, green: 0.78, blue: 0.88)
  /// Cyan.
  public static let cyan = Color(red: 0.39, green: 0.82, blue: 1)
  /// Blue.
  public static let blue = Color(red: 0.04, green: 0.52, blue: 1)
  /// Indigo.
  public static let indigo = Color(red: 0.37, green: 0.36, blue: 0.9)
  /// Purple.
  public static let purple = Color(red: 0.75, green: 0.35, blue: 0.95)
  /// Pink.
  public static let pink = Color(red: 1, green: 0.22, blue: 0.37)
  /// Brown.
  public static let brown = Color(red: 0.67, green: 0.56, blue: 0.41)
  /// A color without opacity.
  public static let clear = Color(white: 0, opacity: 0)
  /// The color of content: white, because the interface lies over the camera's frames.
  public static let primary = white
  /// The color of secondary content.
  public static let secondary = Color(red: 0.92, green: 0.92, blue: 0.96, opacity: 0.6)
  /// The color of controls.
  public static let accentColor = yellow
}
