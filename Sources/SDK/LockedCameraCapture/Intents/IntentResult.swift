// SPDX-License-Identifier: Apache-2.0

/// What performing an intent comes to.
public protocol IntentResult: Sendable {
  /// The kind of value that it gives.
  associatedtype Value: Sendable

  /// The value that it gives; nil for none.
  var value: Value? { get }
}

/// The result of an intent that gives no value.
public struct EmptyIntentResult: IntentResult {
  /// No value.
  public var value: Never? { nil }

  /// Makes a result.
  init() {}
}

extension IntentResult where Self == EmptyIntentResult {
  /// The intent was performed, and gives nothing.
  public static func result() -> Self { EmptyIntentResult() }
}

/// When a person has to show who they are before an intent is performed.
public enum IntentAuthenticationPolicy: Sendable, Hashable, CaseIterable {
  /// Never: also on a locked machine.
  case alwaysAllowed
  /// If the machine is locked, by this or another device of the person.
  case requiresAuthentication
  /// If this machine is locked.
  case requiresLocalDeviceAuthentication
}

/// Where an intent can be performed.
public struct IntentModes: OptionSet, Sendable, Hashable {
  /// The set as a number.
  public let rawValue: Int

  /// Makes a set from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// With the app out of sight.
  public static let background = IntentModes(rawValue: 1)
  /// With the app before the person.
  public static let foreground = IntentModes(rawValue: 2)

  /// When the app comes before the person; Apple's names. Here that is when it is opened.
  public enum ForegroundMode: Sendable, Hashable {
    /// Before the intent is performed.
    case immediate
    /// When the intent asks for it.
    case dynamic
    /// At the latest when the intent was performed.
    case deferred
  }

  /// With the app before the person.
  public static func foreground(_ mode: ForegroundMode) -> IntentModes { foreground }
}
