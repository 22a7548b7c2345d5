// SPDX-License-Identifier: Apache-2.0

/// A type that has the same name in every process and every run.
public protocol PersistentlyIdentifiable {
  /// The name; by default that of the type.
  static var persistentIdentifier: String { get }
}

extension PersistentlyIdentifiable {
  /// The name of the type, without its module.
  public static var persistentIdentifier: String { String(describing: Self.self) }
}

/// The part of ``AppIntent`` that finds a description which is declared without being optional.
///
/// Apple's documents write `static let description = IntentDescription("…")`, whose type is not that of the requirement
/// in ``AppIntent``. Apple's tools read it from the source; here it is the witness of this one.
public protocol DescribedIntent {
  /// What the intent does; empty if it does not say so in this way.
  static var description: IntentDescription { get }
}

extension DescribedIntent {
  /// No description.
  public static var description: IntentDescription { IntentDescription("") }
}

/// Something that an app can do when it is asked to from outside.
public protocol AppIntent: PersistentlyIdentifiable, DescribedIntent, Sendable {
  /// What performing comes to.
  associatedtype PerformResult: IntentResult

  /// What people call it.
  static var title: LocalizedStringResource { get }

  /// What it does, in words; nil for none.
  static var description: IntentDescription? { get }

  /// Whether the app comes forward when the intent is performed.
  static var openAppWhenRun: Bool { get }

  /// When a person has to show who they are first.
  static var authenticationPolicy: IntentAuthenticationPolicy { get }

  /// Whether people find it where they look for such things.
  static var isDiscoverable: Bool { get }

  /// Where it can be performed.
  static var supportedModes: IntentModes { get }

  /// Makes it, with the parameters' default values.
  init()

  /// Does it.
  func perform() async throws -> PerformResult
}

extension AppIntent {
  /// No description.
  public static var description: IntentDescription? { nil }

  /// The app stays where it is.
  public static var openAppWhenRun: Bool { false }

  /// Nobody has to show who they are.
  public static var authenticationPolicy: IntentAuthenticationPolicy { .alwaysAllowed }

  /// People find it.
  public static var isDiscoverable: Bool { true }

  /// As ``openAppWhenRun`` says.
  public static var supportedModes: IntentModes { openAppWhenRun ? .foreground : .background }

  /// What the intent does, however it is declared; nil for none.
  package static var declaredDescription: IntentDescription? {
    if let description = (self as any AppIntent.Type).description { return description }
    let described: any DescribedIntent.Type = self
    let description = described.description
    return description.descriptionText.key.isEmpty ? nil : description
  }
}

/// An intent whose meaning the system knows.
public protocol SystemIntent: AppIntent {}
