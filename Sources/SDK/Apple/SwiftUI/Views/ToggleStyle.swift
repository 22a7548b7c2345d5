// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// The parts of a toggle for its style; SwiftUI's name and members.
@MainActor
public struct ToggleStyleConfiguration {
  /// The label of the toggle.
  public let label: AnyView
  /// Whether the toggle is on.
  @Binding public var isOn: Bool
}

/// The appearance of toggles; SwiftUI's name and requirement.
@MainActor @preconcurrency
public protocol ToggleStyle {
  /// The type of the appearance.
  associatedtype Body: View
  /// The parts of a toggle.
  typealias Configuration = ToggleStyleConfiguration

  /// Returns the appearance of a toggle.
  @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// The appearance of toggles with a switch after the label.
public struct SwitchToggleStyle: ToggleStyle {
  /// Creates a style.
  public nonisolated init() {}

  /// Returns the label and the switch.
  public func makeBody(configuration: Configuration) -> some View { Switch(configuration: configuration) }
}

/// A label with a switch.
private struct Switch: View {
  let configuration: ToggleStyleConfiguration
  @Environment(\.style) private var style

  var body: some View {
    HStack {
      configuration.label
      Spacer()
      Capsule()
        .fill(configuration.isOn ? style.tint : Color(white: 0.4, opacity: 0.8))
        .frame(width: 51, height: 31)
        .overlay(alignment: configuration.isOn ? .trailing : .leading) {
          Circle().fill(.white).frame(width: 27, height: 27).padding(2)
        }
    }
    .onTapGesture { configuration.isOn.toggle() }
  }
}

/// The appearance of toggles as a button, which is prominent while the toggle is on.
public struct ButtonToggleStyle: ToggleStyle {
  /// Creates a style.
  public nonisolated init() {}

  /// Returns the button.
  public func makeBody(configuration: Configuration) -> some View {
    Button {
      configuration.isOn.toggle()
    } label: {
      configuration.label
    }
    .buttonStyle(BorderedButtonStyle(isProminent: configuration.isOn))
  }
}

extension ToggleStyle where Self == SwitchToggleStyle {
  /// A switch after the label.
  public static var automatic: SwitchToggleStyle { SwitchToggleStyle() }
  /// A switch after the label.
  public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}

extension ToggleStyle where Self == ButtonToggleStyle {
  /// A button.
  public static var button: ButtonToggleStyle { ButtonToggleStyle() }
}

extension ToggleStyle {
  /// Returns the appearance of a toggle, if the type of the style is not known.
  func anyBody(_ configuration: Configuration) -> AnyView {
    AnyView(makeBody(configuration: configuration))
  }
}

/// The key of the style of toggles.
private struct ToggleStyleKey: EnvironmentKey {
  static var defaultValue: any ToggleStyle { SwitchToggleStyle() }
}

extension EnvironmentValues {
  /// The style of toggles.
  var toggleStyle: any ToggleStyle {
    get { self[ToggleStyleKey.self] }
    set { self[ToggleStyleKey.self] = newValue }
  }
}

extension View {
  /// Sets the appearance of the toggles in the view.
  public func toggleStyle(_ style: some ToggleStyle) -> some View { environment(\.toggleStyle, style) }
}
