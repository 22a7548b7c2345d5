// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A font; SwiftUI's name and members. Sizes are in points: the shorter side of the viewfinder has 390 points.
public struct Font: Hashable, Sendable {
  /// The weight of a font. Weights from `semibold` on are drawn bold, and all others regular.
  public enum Weight: Int, Hashable, Sendable {
    /// The thinnest weight.
    case ultraLight
    /// A thin weight.
    case thin
    /// A light weight.
    case light
    /// The usual weight.
    case regular
    /// A weight between regular and semibold.
    case medium
    /// A weight between medium and bold.
    case semibold
    /// A bold weight.
    case bold
    /// A heavy weight.
    case heavy
    /// The heaviest weight.
    case black
  }

  /// The design of a font. `rounded` and `serif` are drawn like `default`.
  public enum Design: Hashable, Sendable {
    /// The usual design.
    case `default`
    /// A design in which all characters have the same width.
    case monospaced
    /// A design with round ends.
    case rounded
    /// A design with serifs.
    case serif
  }

  /// The purpose of a text, which determines the size of its font.
  public enum TextStyle: Hashable, Sendable, CaseIterable {
    /// The largest title.
    case largeTitle
    /// A title of the first level.
    case title
    /// A title of the second level.
    case title2
    /// A title of the third level.
    case title3
    /// A heading.
    case headline
    /// A subheading.
    case subheadline
    /// Text of the body.
    case body
    /// A callout.
    case callout
    /// A footnote.
    case footnote
    /// A caption.
    case caption
    /// A second caption.
    case caption2

    fileprivate var size: CGFloat {
      switch self {
      case .largeTitle: 34
      case .title: 28
      case .title2: 22
      case .title3: 20
      case .headline, .body: 17
      case .callout: 16
      case .subheadline: 15
      case .footnote: 13
      case .caption: 12
      case .caption2: 11
      }
    }
  }

  /// The size in points.
  var size: CGFloat
  var weight = Weight.regular
  var isMonospaced = false

  /// Returns a font of a size.
  public static func system(size: CGFloat, weight: Weight? = nil, design: Design? = nil) -> Font {
    Font(size: size, weight: weight ?? .regular, isMonospaced: design == .monospaced)
  }

  /// Returns the font of a text style.
  public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
    system(size: style.size, weight: weight ?? (style == .headline ? .semibold : .regular), design: design)
  }

  /// Returns the font with another weight.
  public func weight(_ weight: Weight) -> Font {
    var font = self
    font.weight = weight
    return font
  }

  /// Returns the font with the weight `bold`.
  public func bold() -> Font { weight(.bold) }

  /// Returns the font with characters of the same width.
  public func monospaced() -> Font {
    var font = self
    font.isMonospaced = true
    return font
  }

  /// Returns the font; the digits of all fonts have the same width.
  public func monospacedDigit() -> Font { self }

  /// The font of the largest title.
  public static let largeTitle = system(.largeTitle)
  /// The font of titles.
  public static let title = system(.title)
  /// The font of titles of the second level.
  public static let title2 = system(.title2)
  /// The font of titles of the third level.
  public static let title3 = system(.title3)
  /// The font of headings.
  public static let headline = system(.headline)
  /// The font of subheadings.
  public static let subheadline = system(.subheadline)
  /// The font of the body.
  public static let body = system(.body)
  /// The font of callouts.
  public static let callout = system(.callout)
  /// The font of footnotes.
  public static let footnote = system(.footnote)
  /// The font of captions.
  public static let caption = system(.caption)
  /// The font of second captions.
  public static let caption2 = system(.caption2)
}
