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
  /// The action that deletes elements, or `nil` if the views cannot be deleted.
  private var deletion: (@MainActor (IndexSet) -> Void)?

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
    let views = node.tracking { data.map { (AnyHashable(id($0)), content($0)) } }
    guard let deletion else { return try node.setChildren(views) }
    try node.setChildren(
      views.enumerated().map { index, view in
        (view.0, SwipedRow(content: view.1) { deletion(IndexSet(integer: index)) })
      }
    )
  }

  /// Deletes a view that the user moves to the left, at least 50 % of the view's width.
  ///
  /// - Parameter action: The action that removes the elements at the passed indices.
  /// - Returns: The views, which the user can delete.
  public func onDelete(perform action: (@MainActor (IndexSet) -> Void)?) -> ForEach {
    var views = self
    views.deletion = action
    return views
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

extension ForEach {
  /// Creates views for bindings to the elements of a collection, which are identified by a member.
  public init<Elements: MutableCollection & RandomAccessCollection>(
    _ data: Binding<Elements>,
    id: KeyPath<Elements.Element, ID>,
    @ViewBuilder content: @escaping (Binding<Elements.Element>) -> Content
  ) where Data == [Binding<Elements.Element>] {
    self.data = data.elements
    self.id = { $0.wrappedValue[keyPath: id] }
    self.content = content
  }

  /// Creates views for bindings to the elements of a collection.
  public init<Elements: MutableCollection & RandomAccessCollection>(
    _ data: Binding<Elements>,
    @ViewBuilder content: @escaping (Binding<Elements.Element>) -> Content
  ) where Data == [Binding<Elements.Element>], Elements.Element: Identifiable, ID == Elements.Element.ID {
    self.init(data, id: \.id, content: content)
  }
}

extension Binding where Value: MutableCollection {
  /// Bindings to the elements. A binding of an element that was removed returns the last value, and ignores changes.
  fileprivate var elements: [Binding<Value.Element>] {
    zip(wrappedValue.indices, wrappedValue).map { index, element in
      Binding<Value.Element>(
        get: { wrappedValue.indices.contains(index) ? wrappedValue[index] : element },
        set: { if wrappedValue.indices.contains(index) { wrappedValue[index] = $0 } }
      )
    }
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
