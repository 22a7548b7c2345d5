// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

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

/// The appearance of buttons in which the label is drawn in the color that an enclosing view sets, or else in the color of controls.
public struct DefaultButtonStyle: ButtonStyle {
  nonisolated init() {}

  /// Returns the label, which is paler while it is pressed.
  public func makeBody(configuration: Configuration) -> some View {
    let isDestructive = configuration.role == .destructive
    configuration.label
      .style { $0.foreground = isDestructive ? .color(.red) : $0.foreground ?? .color($0.tint) }
      .opacity(configuration.isPressed ? 0.4 : 1)
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
    BorderedButton(configuration: configuration, isProminent: isProminent)
  }
}

/// A label over a background in the color of controls.
private struct BorderedButton: View {
  let configuration: ButtonStyleConfiguration
  let isProminent: Bool
  @Environment(\.style) private var style

  var body: some View {
    let color = configuration.role == .destructive ? .red : style.tint
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

/// The key of the action that follows the actions of buttons.
private struct AfterButtonActionKey: EnvironmentKey {
  static var defaultValue: (@MainActor () -> Void)? { nil }
}

extension EnvironmentValues {
  /// The action that follows the actions of buttons, or `nil` for none.
  var afterButtonAction: (@MainActor () -> Void)? {
    get { self[AfterButtonActionKey.self] }
    set { self[AfterButtonActionKey.self] = newValue }
  }

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
  func anyBody(_ configuration: Configuration) -> AnyView {
    AnyView(makeBody(configuration: configuration))
  }
}
