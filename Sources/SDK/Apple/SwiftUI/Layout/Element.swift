// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// The size that an enclosing view offers, in points; `nil` asks for the ideal length.
struct Proposal: Hashable {
  var width: Double?
  var height: Double?

  /// Creates a proposal of exactly a size.
  init(_ size: Vector) { (width, height) = (size.x, size.y) }

  init(width: Double?, height: Double?) { (self.width, self.height) = (width, height) }

  /// Asks for the ideal size.
  static let ideal = Proposal(width: nil, height: nil)

  /// Returns the proposal with lengths smaller by `insets`, and at least 0.
  func inset(by insets: Vector) -> Proposal {
    Proposal(width: width.map { max(0, $0 - insets.x) }, height: height.map { max(0, $0 - insets.y) })
  }
}

/// A view that takes part in the layout.
@MainActor
protocol Arranged {
  /// Returns the size that the view takes of a proposed one, in points.
  func size(_ proposal: Proposal, of element: Element) -> Vector
  /// Draws the view and its content in a frame.
  func place(_ element: Element, in frame: Bounds, _ placement: Placement)
}

/// A view with its content during one layout. Views without a layout of their own, such as those of conditions, are left out.
@MainActor
final class Element {
  let view: any Arranged
  /// The place of the view in the tree, or `nil` for a group that the layout adds.
  let node: ViewNode?
  /// The elements of the content.
  let content: [Element]
  private var sizes: [Proposal: Vector] = [:]
  /// The environment of the view.
  private(set) lazy var environment = node?.environment.values

  /// Creates the element of a view.
  init(_ node: ViewNode, _ view: any Arranged) {
    self.view = view
    self.node = node
    content = node.children.flatMap(Element.elements)
  }

  /// Creates an element that layers others.
  private init(layering content: [Element]) {
    view = LayeredElements(alignment: .center)
    node = nil
    self.content = content
  }

  /// Returns the elements of a view: itself, or those of its content.
  static func elements(_ node: ViewNode) -> [Element] {
    if let view = node.view as? any Arranged { return [Element(node, view)] }
    return node.children.flatMap(elements)
  }

  /// Returns one element with the content of several views: later ones are drawn over earlier ones.
  static func layering(_ elements: [Element]) -> Element {
    elements.count == 1 ? elements[0] : Element(layering: elements)
  }

  /// The content as one element.
  private(set) lazy var onlyContent = Element.layering(content)
  /// The content of each child of the node as one element.
  private(set) lazy var parts = (node?.children ?? []).map { Element.layering(Element.elements($0)) }

  /// Returns the size that the view takes of a proposed one.
  func size(_ proposal: Proposal) -> Vector {
    if let known = sizes[proposal] { return known }
    let size = view.size(proposal, of: self)
    sizes[proposal] = size
    return size
  }

  /// Draws the view in a frame.
  func place(in frame: Bounds, _ placement: Placement) { view.place(self, in: frame, placement) }

  /// Draws the view in a part of a frame, with the size that the view takes of the frame.
  func place(in frame: Bounds, aligned alignment: Alignment, _ placement: Placement) {
    let size = size(Proposal(frame.size))
    place(in: frame.aligning(size, alignment), placement)
  }
}

extension Bounds {
  /// The size of the rectangle.
  var size: Vector { high - low }
  /// The center of the rectangle.
  var center: Vector { (low + high) / 2 }

  /// Creates a rectangle from its upper left corner and its size.
  init(at origin: Vector, _ size: Vector) { self.init(low: origin, high: origin + size) }

  /// Returns a rectangle of a size at a position in this one.
  func aligning(_ size: Vector, _ alignment: Alignment) -> Bounds {
    Bounds(at: low + (self.size - size) * Vector(alignment.horizontal.share, alignment.vertical.share), size)
  }
}

extension HorizontalAlignment {
  /// The share of the free space that is before the view.
  var share: Double {
    switch self {
    case .leading: 0
    case .center: 0.5
    case .trailing: 1
    }
  }
}

extension VerticalAlignment {
  /// The share of the free space that is above the view.
  var share: Double {
    switch self {
    case .top: 0
    case .center: 0.5
    case .bottom: 1
    }
  }
}
