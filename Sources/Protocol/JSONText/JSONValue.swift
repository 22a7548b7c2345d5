// SPDX-License-Identifier: Apache-2.0

/// A JSON value without positions, for messages and records.
///
/// Objects keep the order of their members, so that the text is readable and can be compared.
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction or exponent that fits into 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object with unique names.
  case object([Member])

  /// A member of an object.
  public struct Member: Sendable, Hashable {
    /// The member's name.
    public var name: String
    /// The member's value.
    public var value: JSONValue

    /// Creates a member.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }
}

extension JSONValue {
  /// The value of the member `name`, or `nil` if the value is not an object or has no such member.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The members, or `nil` if the value is not an object.
  public var members: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements, or `nil` if the value is not an array.
  public var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text, or `nil` if the value is not a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The integer, or `nil` if the value is not an integer.
  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number as floating point, or `nil` if the value is not a number.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The Boolean, or `nil` if the value is not one.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// Whether the value is `null`.
  public var isNull: Bool { self == .null }

  /// Creates an object from the members with a value other than `nil`, in their order.
  public static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    var present: [Member] = []
    present.reserveCapacity(members.count)
    for (name, value) in members { if let value { present.append(Member(name, value)) } }
    return .object(present)
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByFloatLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object with the members in the order of the literal.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
