// SPDX-License-Identifier: Apache-2.0

/// The result of an intent.
public protocol IntentResult: Sendable {
  /// The type of the returned value.
  associatedtype Value: Sendable

  /// The returned value, or `nil` if there is none.
  var value: Value? { get }
}

/// The result of an intent that returns no value.
public struct EmptyIntentResult: IntentResult {
  /// Always `nil`.
  public var value: Never? { nil }

  /// Creates a result.
  init() {}
}

extension IntentResult where Self == EmptyIntentResult {
  /// Returns the result of an intent that returns no value.
  public static func result() -> Self { EmptyIntentResult() }
}

/// The authentication that is required before an intent is performed.
public enum IntentAuthenticationPolicy: Sendable, Hashable, CaseIterable {
  /// None, even while the screen is locked.
  case alwaysAllowed
  /// Authentication if the screen is locked, on this or another device of the user.
  case requiresAuthentication
  /// Authentication on this machine if its screen is locked.
  case requiresLocalDeviceAuthentication
}

/// The modes in which an intent can be performed.
public struct IntentModes: OptionSet, Sendable, Hashable {
  /// The bits of the set.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// With the app in the background.
  public static let background = IntentModes(rawValue: 1)
  /// With the app in the foreground.
  public static let foreground = IntentModes(rawValue: 2)

  /// The time at which the app comes to the foreground; Apple's names. Here the app does so when it is
  /// opened.
  public enum ForegroundMode: Sendable, Hashable {
    /// Before the intent is performed.
    case immediate
    /// When the intent requests it.
    case dynamic
    /// At the latest after the intent was performed.
    case deferred
  }

  /// Returns ``foreground``, whatever the mode.
  public static func foreground(_ mode: ForegroundMode) -> IntentModes { foreground }
}
