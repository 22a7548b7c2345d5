// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A control that performs an action after a contact; SwiftUI's name.
public struct Button<Label: View>: View {
  private let role: ButtonRole?
  private let action: @MainActor () -> Void
  private let label: Label
  @State private var isPressed = false
  @Environment(\.buttonStyle) private var style
  @Environment(\.afterButtonAction) private var afterAction

  /// Creates a button.
  ///
  /// - Parameters:
  ///   - role: The purpose of the button, or `nil` for none.
  ///   - action: The action, called in the main actor when the contact ends in the button or near it.
  ///   - label: The view that shows the purpose of the button.
  public init(
    role: ButtonRole? = nil,
    action: @escaping @MainActor () -> Void,
    @ViewBuilder label: () -> Label
  ) {
    self.role = role
    self.action = action
    self.label = label()
  }

  /// The label in the style of the enclosing views.
  public var body: some View {
    let configuration = ButtonStyleConfiguration(role: role, label: AnyView(label), isPressed: isPressed)
    PressedView(content: style.anyBody(configuration), isPressed: $isPressed) {
      action()
      afterAction?()
    }
  }
}

extension Button where Label == Text {
  /// Creates a button with a title.
  public init(_ title: some StringProtocol, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void)
  {
    self.init(role: role, action: action) { Text(String(title)) }
  }
}

extension Button where Label == SwiftUI.Label {
  /// Creates a button with a title and a symbol.
  public init(
    _ title: some StringProtocol,
    systemImage: String,
    role: ButtonRole? = nil,
    action: @escaping @MainActor () -> Void
  ) {
    self.init(role: role, action: action) { SwiftUI.Label(title, systemImage: systemImage) }
  }
}

/// The purpose of a button; SwiftUI's name and members.
public enum ButtonRole: Hashable, Sendable {
  /// The button deletes something.
  case destructive
  /// The button cancels something.
  case cancel
}

/// A view with an action for a contact that ends in the view, and with the state of the contact.
private struct PressedView: BuiltInView, Arranged, ContactRecognizer {
  let content: AnyView
  @Binding var isPressed: Bool
  let action: @MainActor () -> Void

  func update(_ node: ViewNode) throws { try node.setChild(content) }

  func size(_ proposal: Proposal, of element: Element) -> Vector { element.onlyContent.size(proposal) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    if let node = element.node { placement.addRegion(frame, of: node, self) }
    element.onlyContent.place(in: frame, placement)
  }

  func handle(_ update: ContactUpdate, in node: ViewNode) {
    switch update.phase {
    case .began, .moved: isPressed = update.isInside
    case .cancelled: isPressed = false
    case .ended:
      isPressed = false
      if update.isInside { action() }
    }
  }
}
