// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A button that presents other buttons at the lower edge of the viewfinder; SwiftUI's name.
public struct Menu<Label: View, Content: View>: View {
  private let label: Label
  private let content: Content
  @State private var isPresented = false

  /// Creates a menu.
  ///
  /// - Parameters:
  ///   - content: The buttons, each of which ends the presentation after its action.
  ///   - label: The view that shows the purpose of the menu.
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
    self.content = content()
    self.label = label()
  }

  /// The label.
  public var body: some View {
    Button {
      isPresented = true
    } label: {
      label
    }
    .sheet(isPresented: $isPresented) { MenuItems(content: content) { isPresented = false } }
  }
}

/// The buttons of a menu, each of which ends the presentation after its action.
struct MenuItems<Content: View>: View {
  let content: Content
  let dismiss: @MainActor () -> Void

  var body: some View {
    VStack(spacing: 16) { content }
      .padding(20)
      .environment(\.afterButtonAction, dismiss)
  }
}

extension Menu where Label == Text {
  /// Creates a menu with a title.
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    self.init(content: content) { Text(String(title)) }
  }
}

extension Menu where Label == SwiftUI.Label {
  /// Creates a menu with a title and a symbol.
  public init(_ title: some StringProtocol, systemImage: String, @ViewBuilder content: () -> Content) {
    self.init(content: content) { SwiftUI.Label(title, systemImage: systemImage) }
  }
}

extension View {
  /// Presents a title with buttons at the lower edge of the viewfinder while `isPresented` is `true`.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - isPresented: Whether the buttons are presented.
  ///   - titleVisibility: Whether the title is drawn.
  ///   - actions: The buttons, each of which ends the presentation after its action.
  /// - Returns: The view with the buttons.
  public func confirmationDialog<Actions: View>(
    _ title: some StringProtocol,
    isPresented: Binding<Bool>,
    titleVisibility: Visibility = .automatic,
    @ViewBuilder actions: @escaping () -> Actions
  ) -> some View {
    let title = String(title)
    return sheet(isPresented: isPresented) {
      VStack(spacing: 16) {
        if titleVisibility != .hidden { Text(title).font(.headline) }
        actions()
      }
      .padding(20)
      .environment(\.afterButtonAction) { isPresented.wrappedValue = false }
    }
  }
}

/// Whether a part of a view is drawn; SwiftUI's name and cases.
public enum Visibility: Hashable, Sendable, CaseIterable {
  /// The part is drawn.
  case automatic
  /// The part is drawn.
  case visible
  /// The part is not drawn.
  case hidden
}
