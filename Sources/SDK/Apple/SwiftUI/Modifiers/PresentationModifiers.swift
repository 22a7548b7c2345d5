// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A view that can present another one over the whole viewfinder.
private struct PresentingView<Content: View, Presented: View>: BuiltInView, Arranged {
  let content: Content
  @Binding var isPresented: Bool
  let presented: () -> Presented

  func update(_ node: ViewNode) throws {
    let isPresented = node.tracking { self.isPresented }
    let above = isPresented ? [(AnyHashable(1), presented() as any View)] : []
    let binding = $isPresented
    try node.setChildren(
      [(0, content)] + above,
      environment: node.environment.dismissing { binding.wrappedValue = false }
    )
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector { element.parts[0].size(proposal) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    element.parts[0].place(in: frame, placement)
    placement.scene.presented += element.parts.dropFirst()
  }
}

extension EnvironmentScope {
  /// Returns an environment whose action for the end of a presentation is `action`.
  fileprivate func dismissing(_ action: @escaping @MainActor () -> Void) -> EnvironmentScope {
    EnvironmentScope(self) { $0[DismissKey.self] = DismissAction(action: action) }
  }
}

/// The action that ends the presentation of a view; SwiftUI's name.
@MainActor
public struct DismissAction {
  let action: @MainActor () -> Void

  /// Ends the presentation.
  public func callAsFunction() { action() }
}

/// The key of the action that ends a presentation.
private struct DismissKey: EnvironmentKey {
  static var defaultValue: DismissAction? { nil }
}

extension EnvironmentValues {
  /// The action that ends the presentation of the view; in a view that is not presented, the action does nothing.
  public var dismiss: DismissAction { self[DismissKey.self] ?? DismissAction {} }
}

/// The background of a presented view, which receives the contacts outside the view.
private struct Presentation<Content: View>: View {
  let alignment: Alignment
  let onTap: @MainActor () -> Void
  @ViewBuilder let content: () -> Content

  var body: some View {
    ZStack(alignment: alignment) {
      Color.black.opacity(0.5).onTapGesture(perform: onTap)
      content()
    }
  }
}

/// A title and a message with buttons.
private struct AlertCard<Actions: View, Message: View>: View {
  let title: String
  let actions: Actions
  let message: Message

  var body: some View {
    VStack(spacing: 12) {
      Text(title).font(.headline)
      message.font(.footnote)
      if Actions.self == EmptyView.self { Button("OK") {} } else { actions }
    }
    .multilineTextAlignment(.center)
    .padding(20)
    .frame(maxWidth: 300)
    .background(Color(white: 0.16), in: RoundedRectangle(cornerRadius: 14))
  }
}

extension View {
  /// Presents a view at the lower edge of the viewfinder while `isPresented` is `true`. A contact outside the view ends the
  /// presentation.
  public func sheet<Content: View>(
    isPresented: Binding<Bool>,
    onDismiss: (@MainActor () -> Void)? = nil,
    @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    PresentingView(content: self, isPresented: isPresented) {
      Presentation(alignment: .bottom, onTap: { isPresented.wrappedValue = false }) {
        content()
          .frame(maxWidth: .infinity)
          .background(Color(white: 0.12))
          .onDisappear { onDismiss?() }
      }
    }
  }

  /// Presents a view over the whole viewfinder while `isPresented` is `true`.
  public func fullScreenCover<Content: View>(
    isPresented: Binding<Bool>,
    onDismiss: (@MainActor () -> Void)? = nil,
    @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    PresentingView(content: self, isPresented: isPresented) {
      ZStack {
        Color.black.onTapGesture {}
        content().onDisappear { onDismiss?() }
      }
    }
  }

  /// Presents a message with buttons while `isPresented` is `true`.
  ///
  /// - Parameters:
  ///   - title: The title of the message.
  ///   - isPresented: Whether the message is presented.
  ///   - actions: The buttons, each of which ends the presentation after its action; without a button, there is one with the
  ///     title "OK".
  ///   - message: The text below the title.
  /// - Returns: The view with the message.
  public func alert<Actions: View, Message: View>(
    _ title: some StringProtocol,
    isPresented: Binding<Bool>,
    @ViewBuilder actions: @escaping () -> Actions,
    @ViewBuilder message: @escaping () -> Message
  ) -> some View {
    let title = String(title)
    return PresentingView(content: self, isPresented: isPresented) {
      Presentation(alignment: .center, onTap: {}) {
        AlertCard(title: title, actions: actions(), message: message())
          .environment(\.afterButtonAction) { isPresented.wrappedValue = false }
      }
    }
  }

  /// Presents a title with buttons while `isPresented` is `true`.
  ///
  /// - Parameters:
  ///   - title: The title of the message.
  ///   - isPresented: Whether the message is presented.
  ///   - actions: The buttons, each of which ends the presentation after its action.
  /// - Returns: The view with the message.
  public func alert<Actions: View>(
    _ title: some StringProtocol,
    isPresented: Binding<Bool>,
    @ViewBuilder actions: @escaping () -> Actions
  ) -> some View {
    alert(title, isPresented: isPresented, actions: actions) { EmptyView() }
  }
}
