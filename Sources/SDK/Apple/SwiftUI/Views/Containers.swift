// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// Several views as one; SwiftUI's name.
public struct Group<Content: View>: View {
  /// The views of the group.
  public let body: Content

  /// Creates a group.
  public init(@ViewBuilder content: () -> Content) { body = content() }
}

/// A view for each element of a collection; SwiftUI's name.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View, BuiltInView {
  private let data: Data
  private let id: (Data.Element) -> ID
  private let content: (Data.Element) -> Content

  /// Creates views for elements that are identified by a member. The identities must be unique.
  public init(
    _ data: Data,
    id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.id = { $0[keyPath: id] }
    self.content = content
  }

  package func update(_ node: ViewNode) throws {
    try node.setChildren(node.tracking { data.map { (AnyHashable(id($0)), content($0)) } })
  }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  /// Creates views for elements with an identity.
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    self.data = data
    id = { $0.id }
    self.content = content
  }
}

extension ForEach where Data == Range<Int>, ID == Int {
  /// Creates views for integers.
  public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
    self.data = data
    id = { $0 }
    self.content = content
  }
}

/// The size of the space of a ``GeometryReader``; SwiftUI's name.
public struct GeometryProxy: Sendable {
  /// The size in points.
  public let size: CGSize
}

/// A view that fills the proposed space, with content that depends on its size; SwiftUI's name.
///
/// The content is created again after a layout in which the size has changed.
public struct GeometryReader<Content: View>: View, BuiltInView, Arranged {
  private let content: (GeometryProxy) -> Content

  /// Creates a view.
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }

  package func update(_ node: ViewNode) throws {
    let size = node.storage as? ReadSize ?? ReadSize()
    node.storage = size
    let proxy = GeometryProxy(size: size.value)
    try node.setChild(node.tracking { content(proxy) })
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector { proposal.filled }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    let size = CGSize(width: frame.size.x, height: frame.size.y)
    if let node = element.node, let last = node.storage as? ReadSize, last.value != size {
      last.value = size
      node.invalidate()
    }
    for content in element.content { content.place(in: frame, aligned: .topLeading, placement) }
  }
}

/// The size of a view in the last layout.
private final class ReadSize {
  var value = CGSize.zero
}
