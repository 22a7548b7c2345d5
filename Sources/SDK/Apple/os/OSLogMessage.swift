// SPDX-License-Identifier: Apache-2.0

/// A message with values that are public or private.
///
/// Without a privacy option, numbers and Booleans are public, and all other values are private: the log contains
/// `<private>` in their place.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral, Sendable {
  /// The text for the log.
  package let text: String

  /// Creates a message from a literal.
  public init(stringLiteral value: String) { text = value }

  /// Creates a message from a literal with values.
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The privacy of a value in a message.
public struct OSLogPrivacy: Hashable, Sendable {
  /// The kind of privacy.
  private enum Kind: Sendable { case automatic, visible, hidden }

  private let kind: Kind

  /// Numbers and Booleans are public; all other values are private.
  public static let auto = OSLogPrivacy(kind: .automatic)
  /// The log contains the value.
  public static let `public` = OSLogPrivacy(kind: .visible)
  /// The log does not contain the value.
  public static let `private` = OSLogPrivacy(kind: .hidden)
  /// The log does not contain the value.
  public static let sensitive = OSLogPrivacy(kind: .hidden)

  /// Whether the log contains a value.
  ///
  /// - Parameter isPublicByDefault: Whether values of this type are public without an option.
  /// - Returns: The decision.
  fileprivate func shows(isPublicByDefault: Bool) -> Bool {
    kind == .visible || (kind == .automatic && isPublicByDefault)
  }
}

/// The parts of a message.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  /// The text for the log.
  fileprivate var text = ""

  /// Creates an empty message.
  public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

  /// Appends literal text.
  public mutating func appendLiteral(_ literal: String) { text += literal }

  /// Appends a number.
  public mutating func appendInterpolation<Number: Numeric>(
    _ value: @autoclosure () -> Number,
    privacy: OSLogPrivacy = .auto
  ) { append(value(), privacy.shows(isPublicByDefault: true)) }

  /// Appends a Boolean.
  public mutating func appendInterpolation(_ value: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto) {
    append(value(), privacy.shows(isPublicByDefault: true))
  }

  /// Appends any other value.
  @_disfavoredOverload
  public mutating func appendInterpolation<Value>(
    _ value: @autoclosure () -> Value,
    privacy: OSLogPrivacy = .auto
  ) { append(value(), privacy.shows(isPublicByDefault: false)) }

  private mutating func append<Value>(_ value: @autoclosure () -> Value, _ isShown: Bool) {
    text += isShown ? "\(value())" : "<private>"
  }
}
