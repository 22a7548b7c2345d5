// SPDX-License-Identifier: Apache-2.0

/// A position in a text.
public struct TextPosition: Sendable, Hashable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The column in bytes, from 1.
  public var column: Int

  /// Creates a place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position as `line:column`, as in compiler messages.
  public var description: String { "\(line):\(column)" }
}

/// A JSON value with its position in the text, for error messages.
public struct JSONNode: Sendable, Hashable {
  /// The kind of the value, with its contents.
  public var kind: Kind
  /// The position of the first byte.
  public var position: TextPosition

  /// A kind of value.
  public enum Kind: Sendable, Hashable {
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
    case array([JSONNode])
    /// An object with unique names.
    case object([Member])
  }

  /// A member of an object.
  public struct Member: Sendable, Hashable {
    /// The member's name.
    public var name: String
    /// The position of the name.
    public var position: TextPosition
    /// The member's value.
    public var value: JSONNode
  }

  /// The value of the member `name`, or `nil` if the value is not an object or has no such member.
  public subscript(name: String) -> JSONNode? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The value without positions.
  public var value: JSONValue {
    switch kind {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members): .object(members.map { JSONValue.Member($0.name, $0.value.value) })
    }
  }

  /// The kind as text for error messages, for example "a string" or "an object".
  public var kindName: String {
    switch kind {
    case .null: "null"
    case .bool: "a Boolean value"
    case .integer: "an integer"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
