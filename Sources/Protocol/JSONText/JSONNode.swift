// SPDX-License-Identifier: Apache-2.0

/// A place in a text.
public struct TextPosition: Sendable, Hashable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The column in bytes, from 1.
  public var column: Int

  /// Makes a place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// `line:column`, as compilers print it.
  public var description: String { "\(line):\(column)" }
}

/// A JSON value that remembers where it stood, so that a mistake in it can be pointed at.
public struct JSONNode: Sendable, Hashable {
  /// What the value is.
  public var kind: Kind
  /// Where it began.
  public var position: TextPosition

  /// The kinds of value.
  public enum Kind: Sendable, Hashable {
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
    case array([JSONNode])
    /// An object; names are unique.
    case object([Member])
  }

  /// One name and its value in an object.
  public struct Member: Sendable, Hashable {
    /// The member's name.
    public var name: String
    /// Where the name stood.
    public var position: TextPosition
    /// The member's value.
    public var value: JSONNode
  }

  /// The member `name`, or nil if this is no object or has no such member.
  public subscript(name: String) -> JSONNode? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The same without positions.
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

  /// The kind in words, as error messages name it: "a string", "an object".
  public var kindName: String {
    switch kind {
    case .null: "null"
    case .bool: "a truth value"
    case .integer: "an integer"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
