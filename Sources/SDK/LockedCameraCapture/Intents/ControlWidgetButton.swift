// SPDX-License-Identifier: Apache-2.0

/// The button of a control: it performs an intent.
@MainActor @preconcurrency
public struct ControlWidgetButton<LabelContent: ControlLabel, Action: AppIntent>: ControlWidgetTemplate {
  /// What the button says and does.
  public let button: ControlDeclaration.Button

  /// Makes a button.
  public init(action: Action, @ControlLabelBuilder label: @escaping () -> LabelContent) {
    self.init(action: action, label: label())
  }

  /// Makes a button whose label can differ while the action is performed; here it is that of the button at rest.
  public init(action: Action, @ControlLabelBuilder actionLabel: @escaping (Bool) -> LabelContent) {
    self.init(action: action, label: actionLabel(false))
  }

  /// Makes a button with a label, and another for while the action is performed, which nothing shows here.
  public init<ActionLabel: ControlLabel>(
    action: Action,
    @ControlLabelBuilder label: @escaping () -> LabelContent,
    @ControlLabelBuilder actionLabel: @escaping (Bool) -> ActionLabel
  ) {
    self.init(action: action, label: label())
  }

  /// Makes a button with a text.
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

/// What can stand on a control's button.
public protocol ControlLabel: Sendable {
  /// The words.
  var title: LocalizedStringResource { get }
  /// The icon; nil for none.
  var icon: String? { get }
}

/// Makes what stands on a control's button.
@resultBuilder
public enum ControlLabelBuilder {
  /// One label.
  public static func buildBlock<Content: ControlLabel>(_ content: Content) -> Content { content }
}

/// Words and an icon.
public struct Label: ControlLabel, Hashable {
  /// The words.
  public let title: LocalizedStringResource
  /// The icon; nil for none.
  public let icon: String?

  /// Only words.
  public init(_ title: LocalizedStringResource) {
    self.title = title
    icon = nil
  }

  /// Words, and one of the system's symbols: on Linux the name of an icon of the theme.
  public init(_ title: LocalizedStringResource, systemImage name: String) {
    self.title = title
    icon = name
  }

  /// Words, and an image of the app: on Linux the path of a file in the bundle, which contains a slash.
  public init(_ title: LocalizedStringResource, image path: String) {
    self.title = title
    icon = path
  }
}
