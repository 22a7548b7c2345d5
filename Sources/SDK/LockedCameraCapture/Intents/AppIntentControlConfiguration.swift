// SPDX-License-Identifier: Apache-2.0

/// An intent whose properties configure a control.
///
/// It is never performed by itself: it is made with the default values of its properties and given to the control's
/// content. Nobody on Linux offers other values to a person; a control for each is a ``ControlWidget`` for each.
public protocol ControlConfigurationIntent: SystemIntent {}

extension ControlConfigurationIntent {
  /// Configures, and does nothing.
  public func perform() async throws -> some IntentResult { .result() }
}

/// Gives a control the value that it shows, from its configuration.
public protocol AppIntentControlValueProvider {
  /// What configures the control.
  associatedtype Configuration: ControlConfigurationIntent
  /// What it shows.
  associatedtype Value: Sendable

  /// The value of a control that nobody has asked for its state: what stands in the app's manifest.
  func previewValue(configuration: Configuration) -> Value

  /// The value at this moment; see ``ControlWidgetConfiguration/currentDeclaration()``. It is asked where the control is,
  /// so that a provider need not be sendable.
  nonisolated(nonsending) func currentValue(configuration: Configuration) async throws -> Value
}

/// A control that the properties of an intent configure; here they have their default values.
@MainActor @preconcurrency
public struct AppIntentControlConfiguration<
  Configuration: ControlConfigurationIntent,
  Content: ControlWidgetTemplate
>: ControlWidgetConfiguration {
  /// The control as a value.
  public let declaration: ControlDeclaration
  /// The control with its value of the moment.
  private let current: @MainActor () async throws -> ControlDeclaration

  /// Makes a control; `kind` is its name for machines, unique in the app.
  public init(
    kind: String,
    intent: Configuration.Type = Configuration.self,
    @ControlWidgetTemplateBuilder content: @escaping (Configuration) -> Content
  ) {
    let declaration = ControlDeclaration(kind: kind, button: content(Configuration()).button)
    self.declaration = declaration
    current = { declaration }
  }

  /// Makes a control that shows a value; `kind` is its name for machines, unique in the app.
  ///
  /// ``declaration`` has the preview value, ``currentDeclaration()`` asks for the one of the moment.
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

  /// The control with the value of this moment; throws what the provider throws.
  public func currentDeclaration() async throws -> ControlDeclaration { try await current() }
}
