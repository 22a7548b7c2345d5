// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// A side of a rectangle; SwiftUI's name.
public enum Edge: Int8, Sendable, Hashable, CaseIterable {
  /// The upper side.
  case top
  /// The left side.
  case leading
  /// The lower side.
  case bottom
  /// The right side.
  case trailing

  /// Several sides.
  public struct Set: OptionSet, Sendable {
    /// The bits of the sides.
    public let rawValue: Int8

    /// Creates a set from bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// The upper side.
    public static let top = Set(rawValue: 1)
    /// The left side.
    public static let leading = Set(rawValue: 2)
    /// The lower side.
    public static let bottom = Set(rawValue: 4)
    /// The right side.
    public static let trailing = Set(rawValue: 8)
    /// The left and the right side.
    public static let horizontal: Set = [.leading, .trailing]
    /// The upper and the lower side.
    public static let vertical: Set = [.top, .bottom]
    /// All sides.
    public static let all: Set = [.horizontal, .vertical]
  }
}

/// Distances from the sides of a rectangle; SwiftUI's name and members.
public struct EdgeInsets: Hashable, Sendable {
  /// The distance from the upper side.
  public var top: CGFloat
  /// The distance from the left side.
  public var leading: CGFloat
  /// The distance from the lower side.
  public var bottom: CGFloat
  /// The distance from the right side.
  public var trailing: CGFloat

  /// Creates distances in points.
  public init(top: CGFloat = 0, leading: CGFloat = 0, bottom: CGFloat = 0, trailing: CGFloat = 0) {
    (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
  }
}

extension View {
  /// Adds free space at some sides of the view, in points; 16 points for `nil`.
  public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
    let length = length ?? 16
    return padding(
      EdgeInsets(
        top: edges.contains(.top) ? length : 0,
        leading: edges.contains(.leading) ? length : 0,
        bottom: edges.contains(.bottom) ? length : 0,
        trailing: edges.contains(.trailing) ? length : 0
      )
    )
  }

  /// Adds free space at all sides of the view, in points.
  public func padding(_ length: CGFloat) -> some View { padding(.all, length) }

  /// Adds space at sides of the view, as ``padding(_:_:)``: the viewfinder has no unsafe areas to which it would be added.
  public func safeAreaPadding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
    padding(edges, length)
  }

  /// Adds free space around the view.
  public func padding(_ insets: EdgeInsets) -> some View {
    effect(
      PaddingEffect(before: Vector(insets.leading, insets.top), after: Vector(insets.trailing, insets.bottom))
    )
  }

  /// Gives the view a frame with a fixed width or height, in points.
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center)
    -> some View
  {
    effect(
      FrameEffect(
        width: .init(least: width, most: width),
        height: .init(least: height, most: height),
        alignment: alignment
      )
    )
  }

  /// Gives the view a frame with limits of its size, in points. The ideal lengths make no difference.
  public func frame(
    minWidth: CGFloat? = nil,
    idealWidth: CGFloat? = nil,
    maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil,
    idealHeight: CGFloat? = nil,
    maxHeight: CGFloat? = nil,
    alignment: Alignment = .center
  ) -> some View {
    effect(
      FrameEffect(
        width: .init(least: minWidth, most: maxWidth),
        height: .init(least: minHeight, most: maxHeight),
        alignment: alignment
      )
    )
  }

  /// Gives the view its ideal size, even if less space is available.
  public func fixedSize(horizontal: Bool = true, vertical: Bool = true) -> some View {
    effect(FixedSizeEffect(axes: Set((horizontal ? [Axis.horizontal] : []) + (vertical ? [.vertical] : []))))
  }

  /// Limits the view to a ratio of its width to its height; `nil` for that of its ideal size.
  public func aspectRatio(_ ratio: CGFloat? = nil, contentMode: ContentMode) -> some View {
    effect(AspectRatioEffect(ratio: ratio.map(Double.init), fills: contentMode == .fill))
  }

  /// Scales the view to the available space without a change of its ratio.
  public func scaledToFit() -> some View { aspectRatio(contentMode: .fit) }

  /// Scales the view to fill the available space without a change of its ratio.
  public func scaledToFill() -> some View { aspectRatio(contentMode: .fill) }

  /// Puts the center of the view at a point of the available space.
  public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View {
    effect(PositionEffect(center: Vector(x, y)))
  }

  /// Puts the center of the view at a point of the available space.
  public func position(_ position: CGPoint) -> some View { self.position(x: position.x, y: position.y) }

  /// Draws a view over the upper or the lower edge of the view.
  ///
  /// The view keeps its size: the viewfinder has no unsafe areas.
  public func safeAreaInset<Content: View>(
    edge: VerticalEdge,
    alignment: HorizontalAlignment = .center,
    spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) -> some View {
    overlay(
      alignment: Alignment(horizontal: alignment, vertical: edge == .top ? .top : .bottom),
      content: content
    )
  }

  /// Leaves the view as it is: the viewfinder has no unsafe areas.
  public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View { self }

  /// Leaves the view as it is: the viewfinder has no unsafe areas.
  public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { self }
}

/// The upper or the lower side of a rectangle; SwiftUI's name.
public enum VerticalEdge: Hashable, Sendable, CaseIterable {
  /// The upper side.
  case top
  /// The lower side.
  case bottom
}

/// The reason why an area is unsafe; SwiftUI's name.
public enum SafeAreaRegions: Sendable, Hashable {
  /// All reasons.
  case all
  /// The parts of the display that the system covers.
  case container
  /// The keyboard.
  case keyboard
}

/// The way in which content is scaled to a space; SwiftUI's name.
public enum ContentMode: Hashable, Sendable, CaseIterable {
  /// The whole content is in the space.
  case fit
  /// The content fills the whole space.
  case fill
}
