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
    PressedView(content: style.anyBody(configuration), isPressed: $isPressed, action: action)
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

/// A symbol and a title; SwiftUI's name.
public struct Label: View {
  private let title: String
  private let symbol: String

  /// Creates a label with the name of a symbol.
  public init(_ title: some StringProtocol, systemImage: String) {
    self.title = String(title)
    symbol = systemImage
  }

  /// The symbol before the title.
  public var body: some View {
    HStack {
      Image(systemName: symbol)
      Text(title)
    }
  }
}

/// The parts of a button for its style; SwiftUI's name and members.
@MainActor
public struct ButtonStyleConfiguration {
  /// The purpose of the button, or `nil` for none.
  public let role: ButtonRole?
  /// The label of the button.
  public let label: AnyView
  /// Whether a contact is in the button.
  public let isPressed: Bool
}

/// The appearance of buttons; SwiftUI's name and requirement.
@MainActor @preconcurrency
public protocol ButtonStyle {
  /// The type of the appearance.
  associatedtype Body: View
  /// The parts of a button.
  typealias Configuration = ButtonStyleConfiguration

  /// Returns the appearance of a button.
  @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// The appearance of buttons in which the label is drawn in the color of controls.
public struct DefaultButtonStyle: ButtonStyle {
  nonisolated init() {}

  /// Returns the label, which is paler while it is pressed.
  public func makeBody(configuration: Configuration) -> some View {
    let color: Color = configuration.role == .destructive ? .red : .accentColor
    configuration.label.foregroundStyle(color).opacity(configuration.isPressed ? 0.4 : 1)
  }
}

/// The appearance of buttons without a color of their own.
public struct PlainButtonStyle: ButtonStyle {
  /// Creates a style.
  public nonisolated init() {}

  /// Returns the label, which is paler while it is pressed.
  public func makeBody(configuration: Configuration) -> some View {
    configuration.label.opacity(configuration.isPressed ? 0.4 : 1)
  }
}

/// The appearance of buttons with a background.
public struct BorderedButtonStyle: ButtonStyle {
  private let isProminent: Bool

  nonisolated init(isProminent: Bool) { self.isProminent = isProminent }

  /// Returns the label over a background with round corners.
  public func makeBody(configuration: Configuration) -> some View {
    let color: Color = configuration.role == .destructive ? .red : .accentColor
    configuration.label
      .foregroundStyle(isProminent ? Color.black : color)
      .padding(.horizontal, 14)
      .padding(.vertical, 8)
      .background(isProminent ? color : Color(white: 0.3, opacity: 0.7), in: Capsule())
      .opacity(configuration.isPressed ? 0.5 : 1)
  }
}

extension ButtonStyle where Self == DefaultButtonStyle {
  /// A label in the color of controls.
  public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
  /// A label in the color of controls.
  public static var borderless: DefaultButtonStyle { DefaultButtonStyle() }
}

extension ButtonStyle where Self == PlainButtonStyle {
  /// A label without a color of its own.
  public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

extension ButtonStyle where Self == BorderedButtonStyle {
  /// A label over a background.
  public static var bordered: BorderedButtonStyle { BorderedButtonStyle(isProminent: false) }
  /// A label over a background in the color of controls.
  public static var borderedProminent: BorderedButtonStyle { BorderedButtonStyle(isProminent: true) }
}

/// The key of the style of buttons.
private struct ButtonStyleKey: EnvironmentKey {
  static var defaultValue: any ButtonStyle { DefaultButtonStyle() }
}

extension EnvironmentValues {
  /// The style of buttons.
  var buttonStyle: any ButtonStyle {
    get { self[ButtonStyleKey.self] }
    set { self[ButtonStyleKey.self] = newValue }
  }
}

extension View {
  /// Sets the appearance of the buttons in the view.
  public func buttonStyle(_ style: some ButtonStyle) -> some View { environment(\.buttonStyle, style) }
}

extension ButtonStyle {
  /// Returns the appearance of a button, if the type of the style is not known.
  fileprivate func anyBody(_ configuration: Configuration) -> AnyView {
    AnyView(makeBody(configuration: configuration))
  }
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
