// SPDX-License-Identifier: Apache-2.0

/// A control: what a person puts where they want to begin to capture from.
///
/// On Linux it is not a process of its own but an entry in the app's manifest, which the declaration gives
/// (``ControlWidget/manifestEntry(extension:)``); so that the two cannot differ, compare them in a test of the app.
@MainActor @preconcurrency
public protocol ControlWidget {
  /// What the control is made of.
  associatedtype Body: ControlWidgetConfiguration

  /// Makes it.
  init()

  /// What the control is made of.
  var body: Body { get }
}

/// What a control is made of.
@MainActor @preconcurrency
public protocol ControlWidgetConfiguration {
  /// The control as a value.
  var declaration: ControlDeclaration { get }

  /// The same as it is at this moment: what shows a value asks for it. Throws what the value's provider throws.
  func currentDeclaration() async throws -> ControlDeclaration
}

extension ControlWidgetConfiguration {
  /// What shows no value is always the same.
  public func currentDeclaration() async throws -> ControlDeclaration { declaration }
}

/// What stands in a control: a button.
@MainActor @preconcurrency
public protocol ControlWidgetTemplate {
  /// What the button says and does.
  var button: ControlDeclaration.Button { get }
}

/// Makes the template of a control.
@MainActor @resultBuilder
public enum ControlWidgetTemplateBuilder {
  /// One template; a control has no more.
  public static func buildBlock<Content: ControlWidgetTemplate>(_ content: Content) -> Content { content }
}

/// Everything that is known of a control.
public struct ControlDeclaration: Hashable, Sendable {
  /// What a button says and does.
  public struct Button: Hashable, Sendable {
    /// What stands on it.
    public var title: LocalizedStringResource
    /// The name of an icon of the theme, or, with a slash, of a file in the bundle; nil for none.
    public var icon: String?
    /// The intent's `persistentIdentifier`.
    public var intent: String
    /// When a person has to show who they are first.
    public var authenticationPolicy: IntentAuthenticationPolicy
    /// What the intent does; nil if it does not say.
    public var intentDescription: IntentDescription?
  }

  /// The control's name for machines, unique in the app.
  public var kind: String
  /// What people call it; nil: what stands on its button.
  public var displayName: LocalizedStringResource?
  /// One sentence about what it does; nil: the intent's.
  public var description: LocalizedStringResource?
  /// Its button.
  public var button: Button
}

/// A control without parameters.
@MainActor @preconcurrency
public struct StaticControlConfiguration<Content: ControlWidgetTemplate>: ControlWidgetConfiguration {
  /// The control as a value.
  public let declaration: ControlDeclaration

  /// Makes a control; `kind` is its name for machines, unique in the app.
  public init(kind: String, @ControlWidgetTemplateBuilder content: @escaping () -> Content) {
    declaration = ControlDeclaration(kind: kind, button: content().button)
  }
}

/// A configuration with a name or a description.
private struct DescribedControl: ControlWidgetConfiguration {
  /// What is described.
  let control: any ControlWidgetConfiguration
  /// Describes it.
  let describe: (inout ControlDeclaration) -> Void

  var declaration: ControlDeclaration { described(control.declaration) }

  func currentDeclaration() async throws -> ControlDeclaration {
    described(try await control.currentDeclaration())
  }

  /// The same control with the name or the description.
  private func described(_ declaration: ControlDeclaration) -> ControlDeclaration {
    var declaration = declaration
    describe(&declaration)
    return declaration
  }
}

extension ControlWidgetConfiguration {
  /// Gives the control a name for people.
  public func displayName(_ name: LocalizedStringResource) -> some ControlWidgetConfiguration {
    DescribedControl(control: self) { $0.displayName = name }
  }

  /// Says what the control does.
  public func description(_ text: LocalizedStringResource) -> some ControlWidgetConfiguration {
    DescribedControl(control: self) { $0.description = text }
  }
}
