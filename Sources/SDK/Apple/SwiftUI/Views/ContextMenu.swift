// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A view that reacts to a long contact instead of the controls in it.
private struct LongContactView<Content: View>: BuiltInView, Arranged {
  let content: Content
  let action: @MainActor () -> Void

  func update(_ node: ViewNode) throws { try node.setChild(content) }

  func size(_ proposal: Proposal, of element: Element) -> Vector { element.onlyContent.size(proposal) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    var inner = placement
    if let node = element.node { inner.addScrollRegion(frame, of: node, self) }
    element.onlyContent.place(in: frame, inner)
  }
}

extension LongContactView: ContactRecognizer {
  private func isLong(_ update: ContactUpdate) -> Bool {
    update.seconds >= 0.5 && (update.translation * update.translation).sum() < 100
  }

  func takesOver(_ update: ContactUpdate) -> Bool { isLong(update) }

  func handle(_ update: ContactUpdate, in node: ViewNode) {
    if update.phase == .ended, isLong(update) { action() }
  }
}

/// A view with buttons that a long contact presents.
private struct ContextMenu<Content: View, Items: View>: View {
  let content: Content
  let items: () -> Items
  @State private var isPresented = false

  var body: some View {
    LongContactView(content: content) { isPresented = true }
      .sheet(isPresented: $isPresented) { MenuItems(content: items()) { isPresented = false } }
  }
}

extension View {
  /// Presents buttons at the lower edge of the viewfinder after a contact of half a second with the view, when the contact ends.
  public func contextMenu<Items: View>(@ViewBuilder menuItems: @escaping () -> Items) -> some View {
    ContextMenu(content: self, items: menuItems)
  }
}
