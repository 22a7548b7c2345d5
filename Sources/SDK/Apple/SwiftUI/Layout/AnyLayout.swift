// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// A layout that creates a view from its content; SwiftUI's name. The library implements all layouts.
@MainActor
public protocol Layout {
  /// The layout without its type.
  var anyLayout: AnyLayout { get }
}

extension Layout {
  /// Returns a view that arranges its content.
  public func callAsFunction<Content: View>(@ViewBuilder _ content: () -> Content) -> some View {
    ArrangedContent(content: content(), layout: anyLayout)
  }
}

/// A layout of any type; SwiftUI's name. The content keeps its state when the layout changes.
public struct AnyLayout: Layout {
  fileprivate enum Kind {
    case line(LineLayout)
    case layers(LayeredElements)
  }

  fileprivate let kind: Kind

  fileprivate init(_ kind: Kind) { self.kind = kind }

  /// Creates a layout that arranges views as another one.
  public init(_ layout: some Layout) { self = layout.anyLayout }

  /// The layout itself.
  public var anyLayout: AnyLayout { self }
}

/// A row; SwiftUI's name.
public struct HStackLayout: Layout {
  /// The layout without its type.
  public let anyLayout: AnyLayout

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - alignment: The position of the views on the vertical axis.
  ///   - spacing: The distance between views in points, or `nil` for 8.
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil) {
    anyLayout = AnyLayout(
      .line(LineLayout(axis: .horizontal, spacing: spacing ?? 8, crossShare: alignment.share))
    )
  }
}

/// A column; SwiftUI's name.
public struct VStackLayout: Layout {
  /// The layout without its type.
  public let anyLayout: AnyLayout

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - alignment: The position of the views on the horizontal axis.
  ///   - spacing: The distance between views in points, or `nil` for 8.
  public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil) {
    anyLayout = AnyLayout(
      .line(LineLayout(axis: .vertical, spacing: spacing ?? 8, crossShare: alignment.share))
    )
  }
}

/// Views over each other; SwiftUI's name.
public struct ZStackLayout: Layout {
  /// The layout without its type.
  public let anyLayout: AnyLayout

  /// Creates a layout with a position of smaller views.
  public init(alignment: Alignment = .center) {
    anyLayout = AnyLayout(.layers(LayeredElements(alignment: alignment)))
  }
}

/// Views with a layout that can change.
private struct ArrangedContent<Content: View>: BuiltInView, Arranged {
  let content: Content
  let layout: AnyLayout

  func update(_ node: ViewNode) throws { try node.setChild(content) }

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    switch layout.kind {
    case .line(let line): line.size(proposal, of: element)
    case .layers(let layers): layers.size(proposal, of: element)
    }
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    switch layout.kind {
    case .line(let line): line.place(element, in: frame, placement)
    case .layers(let layers): layers.place(element, in: frame, placement)
    }
  }
}
