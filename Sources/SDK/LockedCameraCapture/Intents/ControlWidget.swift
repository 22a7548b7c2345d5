// SPDX-License-Identifier: Apache-2.0

/// A control with which the user starts a capture, for example on the lock screen.
///
/// On Linux, a control is not a process but an entry in the app's manifest, which
/// ``ControlWidget/manifestEntry(extension:intent:)`` generates. A test of the app should compare the
/// declaration with the manifest.
@MainActor @preconcurrency
public protocol ControlWidget {
  /// The type of ``body``.
  associatedtype Body: ControlWidgetConfiguration

  /// Creates the control.
  init()

  /// The configuration of the control.
  var body: Body { get }
}

/// The configuration of a control.
@MainActor @preconcurrency
public protocol ControlWidgetConfiguration {
  /// The declaration of the control.
  var declaration: ControlDeclaration { get }

  /// Returns the declaration with the value that the control currently shows.
  ///
  /// - Returns: The declaration.
  /// - Throws: The error of the value provider.
  func currentDeclaration() async throws -> ControlDeclaration
}

extension ControlWidgetConfiguration {
  /// Returns ``declaration``: a control without a value does not change.
  public func currentDeclaration() async throws -> ControlDeclaration { declaration }
}

/// The template of a control: a button.
@MainActor @preconcurrency
public protocol ControlWidgetTemplate {
  /// The label and the action of the button.
  var button: ControlDeclaration.Button { get }
}

/// The result builder of a control's template.
@MainActor @resultBuilder
public enum ControlWidgetTemplateBuilder {
  /// Returns the only template of a control.
  public static func buildBlock<Content: ControlWidgetTemplate>(_ content: Content) -> Content { content }
}

/// The declaration of a control.
public struct ControlDeclaration: Hashable, Sendable {
  /// The label and the action of a button.
  public struct Button: Hashable, Sendable {
    /// The title on the button.
    public var title: LocalizedStringResource
    /// The name of an icon in the theme, or the path of a file in the bundle if it contains a slash; `nil`
    /// for none.
    public var icon: String?
    /// The intent's `persistentIdentifier`.
    public var intent: String
    /// The authentication that the intent requires.
    public var authenticationPolicy: IntentAuthenticationPolicy
    /// The description of the intent, or `nil` if there is none.
    public var intentDescription: IntentDescription?
  }

  /// The identifier of the control, unique in the app.
  public var kind: String
  /// The name of the control, or `nil` to use the title of its button.
  public var displayName: LocalizedStringResource?
  /// The description of the control in one sentence, or `nil` to use that of the intent.
  public var description: LocalizedStringResource?
  /// The button of the control.
  public var button: Button
}

/// A control without parameters.
@MainActor @preconcurrency
public struct StaticControlConfiguration<Content: ControlWidgetTemplate>: ControlWidgetConfiguration {
  /// The declaration of the control.
  public let declaration: ControlDeclaration

  /// Creates a control.
  ///
  /// - Parameters:
  ///   - kind: The identifier of the control, unique in the app.
  ///   - content: Returns the template of the control.
  public init(kind: String, @ControlWidgetTemplateBuilder content: @escaping () -> Content) {
    declaration = ControlDeclaration(kind: kind, button: content().button)
  }
}

/// A configuration with a name or a description.
private struct DescribedControl: ControlWidgetConfiguration {
  /// The original configuration.
  let control: any ControlWidgetConfiguration
  /// Adds the name or the description.
  let describe: (inout ControlDeclaration) -> Void

  var declaration: ControlDeclaration { described(control.declaration) }

  func currentDeclaration() async throws -> ControlDeclaration {
    described(try await control.currentDeclaration())
  }

  /// Returns the declaration with the name or the description.
  private func described(_ declaration: ControlDeclaration) -> ControlDeclaration {
    var declaration = declaration
    describe(&declaration)
    return declaration
  }
}

extension ControlWidgetConfiguration {
  /// Sets the name of the control.
  public func displayName(_ name: LocalizedStringResource) -> some ControlWidgetConfiguration {
    DescribedControl(control: self) { $0.displayName = name }
  }

  /// Sets the description of the control.
  public func description(_ text: LocalizedStringResource) -> some ControlWidgetConfiguration {
    DescribedControl(control: self) { $0.description = text }
  }
}
