// SPDX-License-Identifier: Apache-2.0

/// A button of a control that performs an intent.
@MainActor @preconcurrency
public struct ControlWidgetButton<LabelContent: ControlLabel, Action: AppIntent>: ControlWidgetTemplate {
  /// The label and the action of the button.
  public let button: ControlDeclaration.Button

  /// Creates a button.
  public init(action: Action, @ControlLabelBuilder label: @escaping () -> LabelContent) {
    self.init(action: action, label: label())
  }

  /// Creates a button whose label depends on whether the action is running; here the label is that of the
  /// idle state.
  public init(action: Action, @ControlLabelBuilder actionLabel: @escaping (Bool) -> LabelContent) {
    self.init(action: action, label: actionLabel(false))
  }

  /// Creates a button with separate labels for the idle state and the running action; here only the first is
  /// shown.
  public init<ActionLabel: ControlLabel>(
    action: Action,
    @ControlLabelBuilder label: @escaping () -> LabelContent,
    @ControlLabelBuilder actionLabel: @escaping (Bool) -> ActionLabel
  ) {
    self.init(action: action, label: label())
  }

  /// Creates a button with a title.
  public init(_ title: LocalizedStringResource, action: Action) where LabelContent == Label {
    self.init(action: action, label: Label(title))
  }

  private init(action: Action, label: LabelContent) {
    button = ControlDeclaration.Button(
      title: label.title,
      icon: label.icon,
      intent: Action.persistentIdentifier,
      authenticationPolicy: Action.authenticationPolicy,
      intentDescription: Action.declaredDescription
    )
  }
}

/// The content of a control's button.
public protocol ControlLabel: Sendable {
  /// The title of the button.
  var title: LocalizedStringResource { get }
  /// The name or the path of the icon, or `nil` for none.
  var icon: String? { get }
}

/// The result builder of a button's label.
@resultBuilder
public enum ControlLabelBuilder {
  /// Returns the only label.
  public static func buildBlock<Content: ControlLabel>(_ content: Content) -> Content { content }
}

/// A title and an icon.
public struct Label: ControlLabel, Hashable {
  /// The title.
  public let title: LocalizedStringResource
  /// The name or the path of the icon, or `nil` for none.
  public let icon: String?

  /// Creates a label without an icon.
  public init(_ title: LocalizedStringResource) {
    self.title = title
    icon = nil
  }

  /// Creates a label with a system symbol: on Linux, the name of an icon in the theme.
  public init(_ title: LocalizedStringResource, systemImage name: String) {
    self.title = title
    icon = name
  }

  /// Creates a label with an image of the app: on Linux, the path of a file in the bundle, which must contain
  /// a slash.
  public init(_ title: LocalizedStringResource, image path: String) {
    self.title = title
    icon = path
  }
}
