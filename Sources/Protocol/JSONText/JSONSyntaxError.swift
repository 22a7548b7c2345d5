// SPDX-License-Identifier: Apache-2.0

/// Why a text is not JSON, and where.
public struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong.
  public var reason: Reason
  /// Where the reader stopped.
  public var position: TextPosition

  /// The ways in which a text can fail to be JSON (RFC 8259), or be more than the reader accepts.
  public enum Reason: Sendable, Equatable {
    /// The text is larger than the limit, in bytes.
    case tooLarge(limit: Int)
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep(limit: Int)
    /// The text ended inside a value.
    case unexpectedEnd
    /// Something else should have stood here.
    case expected(Expectation)
    /// The text goes on after its value.
    case trailingText
    /// An object has the same name twice.
    case duplicateName(String)
    /// The bytes are no UTF-8.
    case invalidUTF8
    /// A control character stands unescaped in a string.
    case controlCharacter(UInt8)
    /// A backslash is followed by something that is no escape.
    case invalidEscape
    /// An escaped surrogate has no partner.
    case loneSurrogate
    /// A number is written in a way that JSON does not know, or is too large.
    case invalidNumber
  }

  /// What the reader was looking for.
  public enum Expectation: String, Sendable {
    /// Any value.
    case value = "a value"
    /// The name of a member.
    case name = "a member name in double quotes"
    /// The colon after a name.
    case colon = "':'"
    /// A separator in an array.
    case commaOrBracket = "',' or ']'"
    /// A separator in an object.
    case commaOrBrace = "',' or '}'"
  }

  /// A sentence with the position.
  public var description: String { "\(position): \(reason)" }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
  /// A sentence without the position.
  public var description: String {
    switch self {
    case .tooLarge(let limit): "the text is larger than \(limit) bytes"
    case .tooDeep(let limit): "arrays and objects are nested more than \(limit) deep"
    case .unexpectedEnd: "the text ends inside a value"
    case .expected(let what): "expected \(what.rawValue)"
    case .trailingText: "there is text after the end of the value"
    case .duplicateName(let name): "the member \"\(name)\" stands twice in the same object"
    case .invalidUTF8: "the bytes are not UTF-8"
    case .controlCharacter(let byte): "control character \(byte) in a string; write it as an escape"
    case .invalidEscape: "a backslash must be followed by one of \"\\/bfnrtu"
    case .loneSurrogate: "a \\u escape of half a surrogate pair has no other half"
    case .invalidNumber: "this is not a JSON number, or it is too large"
    }
  }
}
