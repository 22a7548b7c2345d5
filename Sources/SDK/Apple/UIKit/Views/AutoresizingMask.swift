// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension UIView {
  /// The lengths of a view that change with the size of the view around it.
  public struct AutoresizingMask: OptionSet, Sendable {
    /// UIKit's value.
    public let rawValue: UInt

    /// Creates a mask from UIKit's value.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The distance from the left edge.
    public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1)
    /// The width.
    public static let flexibleWidth = AutoresizingMask(rawValue: 2)
    /// The distance from the right edge.
    public static let flexibleRightMargin = AutoresizingMask(rawValue: 4)
    /// The distance from the upper edge.
    public static let flexibleTopMargin = AutoresizingMask(rawValue: 8)
    /// The height.
    public static let flexibleHeight = AutoresizingMask(rawValue: 16)
    /// The distance from the lower edge.
    public static let flexibleBottomMargin = AutoresizingMask(rawValue: 32)
  }
}

extension UIView.AutoresizingMask {
  /// Returns a frame after the view around it has grown: flexible lengths share the growth equally.
  func resized(_ frame: CGRect, _ growth: CGSize) -> CGRect {
    let across = shares(.flexibleLeftMargin, .flexibleWidth, .flexibleRightMargin)
    let down = shares(.flexibleTopMargin, .flexibleHeight, .flexibleBottomMargin)
    return CGRect(
      x: frame.minX + across.before * growth.width,
      y: frame.minY + down.before * growth.height,
      width: max(0, frame.width + across.length * growth.width),
      height: max(0, frame.height + down.length * growth.height)
    )
  }

  /// Returns the shares of the growth that the margin before a view and its length have.
  private func shares(_ before: Self, _ length: Self, _ after: Self) -> (before: CGFloat, length: CGFloat) {
    let count = [before, length, after].count(where: contains)
    guard count > 0 else { return (0, 0) }
    let share = 1 / CGFloat(count)
    return (contains(before) ? share : 0, contains(length) ? share : 0)
  }
}
