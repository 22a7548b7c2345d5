// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A color of the color space sRGB; Core Graphics' name. It may be used on any thread.
public final class CGColor: Hashable, Sendable {
  /// The components red, green and blue and the opacity, from 0 to 1.
  package let values: SIMD4<Double>

  /// Creates a color from components between 0 and 1.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    values = SIMD4(Double(red), Double(green), Double(blue), Double(alpha)).clamped(
      lowerBound: .zero,
      upperBound: .one
    )
  }

  /// Creates a color from components between 0 and 1; the parameters of Core Graphics for the color space sRGB.
  public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// Creates a shade of gray from components between 0 and 1.
  public convenience init(gray: CGFloat, alpha: CGFloat) {
    self.init(red: gray, green: gray, blue: gray, alpha: alpha)
  }

  /// The components red, green and blue and the opacity, from 0 to 1.
  public var components: [CGFloat]? { [values.x, values.y, values.z, values.w].map { CGFloat($0) } }

  /// The opacity, from 0 to 1.
  public var alpha: CGFloat { CGFloat(values.w) }

  /// Returns whether both colors have the same components.
  public static func == (first: CGColor, second: CGColor) -> Bool { first.values == second.values }

  /// Hashes the components.
  public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
