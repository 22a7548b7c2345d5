// SPDX-License-Identifier: Apache-2.0

/// A type with an identifier that is stable across processes and launches.
public protocol PersistentlyIdentifiable {
  /// The identifier; by default the name of the type.
  static var persistentIdentifier: String { get }
}

extension PersistentlyIdentifiable {
  /// The name of the type, without its module.
  public static var persistentIdentifier: String { String(describing: Self.self) }
}

/// The part of ``AppIntent`` that accepts a description which is declared with a non-optional type.
///
/// Apple's documents declare `static let description = IntentDescription("…")`, whose type differs from that
/// of the requirement in ``AppIntent``. Apple's tools read it from the source; here it is the witness of this
/// requirement.
public protocol DescribedIntent {
  /// The description of the intent; empty if it is not declared with this type.
  static var description: IntentDescription { get }
}

extension DescribedIntent {
  /// An empty description.
  public static var description: IntentDescription { IntentDescription("") }
}

/// An action of an app that the system can perform.
public protocol AppIntent: PersistentlyIdentifiable, DescribedIntent, Sendable {
  /// The type of the result of ``perform()``.
  associatedtype PerformResult: IntentResult

  /// The title of the intent.
  static var title: LocalizedStringResource { get }

  /// The description of the intent, or `nil` if there is none.
  static var description: IntentDescription? { get }

  /// Whether the app is opened when the intent is performed.
  static var openAppWhenRun: Bool { get }

  /// The authentication that the intent requires.
  static var authenticationPolicy: IntentAuthenticationPolicy { get }

  /// Whether users can find the intent.
  static var isDiscoverable: Bool { get }

  /// The modes in which the intent can be performed.
  static var supportedModes: IntentModes { get }

  /// Creates the intent with the default values of its parameters.
  init()

  /// Performs the intent.
  ///
  /// - Returns: The result.
  /// - Throws: The error that prevented the action.
  func perform() async throws -> PerformResult
}

extension AppIntent {
  /// No description.
  public static var description: IntentDescription? { nil }

  /// `false`: the app is not opened.
  public static var openAppWhenRun: Bool { false }

  /// No authentication.
  public static var authenticationPolicy: IntentAuthenticationPolicy { .alwaysAllowed }

  /// `true`: users can find the intent.
  public static var isDiscoverable: Bool { true }

  /// The foreground mode if ``openAppWhenRun`` is `true`, otherwise the background mode.
  public static var supportedModes: IntentModes { openAppWhenRun ? .foreground : .background }

  /// The description of the intent with either type of declaration, or `nil` if there is none.
  package static var declaredDescription: IntentDescription? {
    if let description = (self as any AppIntent.Type).description { return description }
    let described: any DescribedIntent.Type = self
    let description = described.description
    return description.descriptionText.key.isEmpty ? nil : description
  }
}

/// An intent that the system defines.
public protocol SystemIntent: AppIntent {}
