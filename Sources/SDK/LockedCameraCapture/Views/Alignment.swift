// SPDX-License-Identifier: Apache-2.0

/// A position on the horizontal axis; SwiftUI's name and members.
public enum HorizontalAlignment: Sendable, Hashable {
  /// The left edge.
  case leading
  /// The center.
  case center
  /// The right edge.
  case trailing
}

/// A position on the vertical axis; SwiftUI's name and members.
public enum VerticalAlignment: Sendable, Hashable {
  /// The upper edge.
  case top
  /// The center.
  case center
  /// The lower edge.
  case bottom
}

/// The position of a view in a larger view; SwiftUI's name and members.
public struct Alignment: Sendable, Hashable {
  /// The position on the horizontal axis.
  public var horizontal: HorizontalAlignment
  /// The position on the vertical axis.
  public var vertical: VerticalAlignment

  /// Creates an alignment.
  public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
    (self.horizontal, self.vertical) = (horizontal, vertical)
  }

  /// The center.
  public static let center = Alignment(horizontal: .center, vertical: .center)
  /// The middle of the left edge.
  public static let leading = Alignment(horizontal: .leading, vertical: .center)
  /// The middle of the right edge.
  public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
  /// The middle of the upper edge.
  public static let top = Alignment(horizontal: .center, vertical: .top)
  /// The middle of the lower edge.
  public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
  /// The upper left corner.
  public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
  /// The upper right corner.
  public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
  /// The lower left corner.
  public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
  /// The lower right corner.
  public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
}
