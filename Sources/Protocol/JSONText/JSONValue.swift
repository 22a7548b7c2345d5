// SPDX-License-Identifier: Apache-2.0

/// A JSON value without positions: what messages and records are made of.
///
/// Objects keep the order of their members, so that what is written can be read by people and compared as text.
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction or exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object; names are unique.
  case object([Member])

  /// One name and its value in an object.
  public struct Member: Sendable, Hashable {
    /// The member's name.
    public var name: String
    /// The member's value.
    public var value: JSONValue

    /// Makes a member.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }
}

extension JSONValue {
  /// The value of the member `name`, or nil if this is no object or has no such member.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The members, or nil if this is no object.
  public var members: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements, or nil if this is no array.
  public var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text, or nil if this is no string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The integer, or nil if this is no integer.
  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number as floating point, or nil if this is no number.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The truth value, or nil if this is none.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// Whether this is `null`.
  public var isNull: Bool { self == .null }

  /// An object of the members whose value is not nil, in their order.
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
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object, in the order written.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
