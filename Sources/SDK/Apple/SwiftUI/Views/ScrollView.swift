// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A view whose content can be larger than its frame, and moves with a contact; SwiftUI's name.
///
/// The content stops where the contact ends. A contact that moves by 10 points in a direction of the view no longer belongs to
/// the control in which it began.
public struct ScrollView<Content: View>: View, BuiltInView, Arranged {
  private let axes: Axis.Set
  private let content: AnyView

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - axes: The directions in which the content moves.
  ///   - showsIndicators: A value that makes no difference: there are no indicators.
  ///   - content: The views, which are arranged in a column.
  public init(
    _ axes: Axis.Set = .vertical,
    showsIndicators: Bool = true,
    @ViewBuilder content: () -> Content
  ) {
    self.axes = axes
    self.content = AnyView(VStack(content: content))
  }

  package func update(_ node: ViewNode) throws {
    node.storage = node.storage ?? ScrollPosition()
    try node.setChild(content)
  }

  /// Returns a proposal that does not limit the directions in which the content moves.
  private func unlimited(_ proposal: Proposal) -> Proposal {
    Proposal(
      width: axes.contains(.horizontal) ? nil : proposal.width,
      height: axes.contains(.vertical) ? nil : proposal.height
    )
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    let content = element.onlyContent.size(unlimited(proposal))
    return Vector(
      axes.contains(.horizontal) ? proposal.width ?? content.x : content.x,
      axes.contains(.vertical) ? proposal.height ?? content.y : content.y
    )
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    guard let node = element.node, let position = node.storage as? ScrollPosition else { return }
    let size = element.onlyContent.size(unlimited(Proposal(frame.size)))
    position.limit = pointwiseMax(size - frame.size, Vector(0, 0))
    position.move(to: position.offset)
    var inner = placement
    inner.clips.append(Outline.rectangle(frame).transformed(by: placement.transform))
    inner.addScrollRegion(frame, of: node, self)
    element.onlyContent.place(in: Bounds(at: frame.low - position.offset, size), inner)
  }
}

extension ScrollView: ContactRecognizer {
  func takesOver(_ update: ContactUpdate) -> Bool {
    (axes.contains(.horizontal) && abs(update.translation.x) >= 10)
      || (axes.contains(.vertical) && abs(update.translation.y) >= 10)
  }

  func handle(_ update: ContactUpdate, in node: ViewNode) {
    guard let position = node.storage as? ScrollPosition else { return }
    if update.phase == .began { position.start = position.offset }
    position.move(to: position.start - update.translation)
    node.graph.needsLayers = true
  }
}

/// The position of the content of a ``ScrollView``.
@MainActor
private final class ScrollPosition {
  /// The distance of the content from its start.
  private(set) var offset = Vector(0, 0)
  /// The distance at the start of the contact.
  var start = Vector(0, 0)
  /// The distance at which the end of the content is visible.
  var limit = Vector(0, 0)

  /// Moves the content, at most to its ends.
  func move(to offset: Vector) { self.offset = offset.clamped(lowerBound: Vector(0, 0), upperBound: limit) }
}

/// A column; SwiftUI's name. All views are created at once.
public typealias LazyVStack = VStack

/// A row; SwiftUI's name. All views are created at once.
public typealias LazyHStack = HStack

extension Axis {
  /// Several directions; SwiftUI's name and members.
  public struct Set: OptionSet, Sendable {
    /// The bits of the directions.
    public let rawValue: Int8

    /// Creates a set from bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// From left to right.
    public static let horizontal = Set(rawValue: 1)
    /// From top to bottom.
    public static let vertical = Set(rawValue: 2)
  }
}
