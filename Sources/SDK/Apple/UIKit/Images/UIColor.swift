// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import QuartzCore

/// A color of the color space sRGB; UIKit's name. It may be used on any thread.
public final class UIColor: Hashable, Sendable {
  /// The color as a value of Core Graphics.
  public let cgColor: CGColor

  /// Creates a color from a value of Core Graphics.
  public init(cgColor: CGColor) { self.cgColor = cgColor }

  /// Creates a color from components between 0 and 1.
  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(cgColor: CGColor(red: red, green: green, blue: blue, alpha: alpha))
  }

  /// Creates a shade of gray from components between 0 and 1.
  public convenience init(white: CGFloat, alpha: CGFloat) {
    self.init(cgColor: CGColor(gray: white, alpha: alpha))
  }

  /// Returns the color with another opacity, from 0 to 1.
  public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
    let values = cgColor.values
    return UIColor(red: CGFloat(values.x), green: CGFloat(values.y), blue: CGFloat(values.z), alpha: alpha)
  }

  /// Returns whether both colors have the same components.
  public static func == (first: UIColor, second: UIColor) -> Bool { first.cgColor == second.cgColor }

  /// Hashes the components.
  public func hash(into hasher: inout Hasher) { hasher.combine(cgColor) }

  /// Creates a color from components between 0 and 255.
  private convenience init(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat) {
    self.init(red: red / 255, green: green / 255, blue: blue / 255, alpha: 1)
  }

  /// Black.
  public static let black = UIColor(white: 0, alpha: 1)
  /// White.
  public static let white = UIColor(white: 1, alpha: 1)
  /// Gray.
  public static let gray = UIColor(white: 0.5, alpha: 1)
  /// Dark gray.
  public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
  /// Light gray.
  public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
  /// Red.
  public static let red = UIColor(255, 0, 0)
  /// Green.
  public static let green = UIColor(0, 255, 0)
  /// Blue.
  public static let blue = UIColor(0, 0, 255)
  /// Yellow.
  public static let yellow = UIColor(255, 255, 0)
  /// Orange.
  public static let orange = UIColor(255, 128, 0)
  /// Purple.
  public static let purple = UIColor(128, 0, 128)
  /// A color without opacity.
  public static let clear = UIColor(white: 0, alpha: 0)
  /// The red of the dark appearance.
  public static let systemRed = UIColor(255, 69, 58)
  /// The orange of the dark appearance.
  public static let systemOrange = UIColor(255, 159, 10)
  /// The yellow of the dark appearance.
  public static let systemYellow = UIColor(255, 214, 10)
  /// The green of the dark appearance.
  public static let systemGreen = UIColor(48, 209, 88)
  /// The blue of the dark appearance.
  public static let systemBlue = UIColor(10, 132, 255)
  /// The gray of the dark appearance.
  public static let systemGray = UIColor(142, 142, 147)
  /// The background of the dark appearance: black.
  public static let systemBackground = black
  /// The color of text in the dark appearance: white.
  public static let label = white
}
