// SPDX-License-Identifier: Apache-2.0

/// An intent whose properties configure a control.
///
/// The intent is not performed separately: it is created with the default values of its properties and passed
/// to the control's content. The system on Linux does not offer other values to the user; declare a separate
/// ``ControlWidget`` for each configuration.
public protocol ControlConfigurationIntent: SystemIntent {}

extension ControlConfigurationIntent {
  /// Does nothing; the intent only configures a control.
  public func perform() async throws -> some IntentResult { .result() }
}

/// A provider of the value that a control shows, depending on its configuration.
public protocol AppIntentControlValueProvider {
  /// The type of the configuration.
  associatedtype Configuration: ControlConfigurationIntent
  /// The type of the value.
  associatedtype Value: Sendable

  /// Returns the value that is shown without a query of the current value; it is used in the app's manifest.
  func previewValue(configuration: Configuration) -> Value

  /// Returns the current value; see ``ControlWidgetConfiguration/currentDeclaration()``.
  ///
  /// It runs on the caller's actor, so that a provider need not be Sendable.
  nonisolated(nonsending) func currentValue(configuration: Configuration) async throws -> Value
}

/// A control that is configured by the properties of an intent; here the properties have their default
/// values.
@MainActor @preconcurrency
public struct AppIntentControlConfiguration<
  Configuration: ControlConfigurationIntent,
  Content: ControlWidgetTemplate
>: ControlWidgetConfiguration {
  /// The declaration of the control.
  public let declaration: ControlDeclaration
  /// Returns the declaration of the control with its current value.
  private let current: @MainActor () async throws -> ControlDeclaration

  /// Creates a control.
  ///
  /// - Parameters:
  ///   - kind: The identifier of the control, unique in the app.
  ///   - intent: The type of the configuration.
  ///   - content: Returns the template of the control for a configuration.
  public init(
    kind: String,
    intent: Configuration.Type = Configuration.self,
    @ControlWidgetTemplateBuilder content: @escaping (Configuration) -> Content
  ) {
    let declaration = ControlDeclaration(kind: kind, button: content(Configuration()).button)
    self.declaration = declaration
    current = { declaration }
  }

  /// Creates a control that shows a value.
  ///
  /// ``declaration`` uses the preview value, ``currentDeclaration()`` the current value.
  ///
  /// - Parameters:
  ///   - kind: The identifier of the control, unique in the app.
  ///   - provider: The provider of the value.
  ///   - content: Returns the template of the control for a value.
  public init<Provider: AppIntentControlValueProvider>(
    kind: String,
    provider: Provider,
    @ControlWidgetTemplateBuilder content: @escaping (Provider.Value) -> Content
  ) where Provider.Configuration == Configuration {
    let preview = provider.previewValue(configuration: Configuration())
    declaration = ControlDeclaration(kind: kind, button: content(preview).button)
    current = {
      let value = try await provider.currentValue(configuration: Configuration())
      return ControlDeclaration(kind: kind, button: content(value).button)
    }
  }

  /// Returns the declaration of the control with its current value.
  ///
  /// - Throws: The error of the value provider.
  public func currentDeclaration() async throws -> ControlDeclaration { try await current() }
}
