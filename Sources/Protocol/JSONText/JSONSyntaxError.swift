// SPDX-License-Identifier: Apache-2.0

/// A reason for which a text is not valid JSON, with its position.
public struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The reason.
  public var reason: Reason
  /// The position at which the parser stopped.
  public var position: TextPosition

  /// A reason for which a text is not valid JSON (RFC 8259) or exceeds the limits.
  public enum Reason: Sendable, Equatable {
    /// The text exceeds the maximum size, in bytes.
    case tooLarge(limit: Int)
    /// The nesting of arrays and objects exceeds the maximum.
    case tooDeep(limit: Int)
    /// The text ends inside a value.
    case unexpectedEnd
    /// The text has something other than the expected element.
    case expected(Expectation)
    /// The text continues after its value.
    case trailingText
    /// An object has two members with the same name.
    case duplicateName(String)
    /// The bytes are not valid UTF-8.
    case invalidUTF8
    /// A string contains an unescaped control character.
    case controlCharacter(UInt8)
    /// A backslash does not begin a valid escape.
    case invalidEscape
    /// An escaped surrogate is not part of a pair.
    case loneSurrogate
    /// A number is malformed or too large.
    case invalidNumber
  }

  /// An expected element.
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
    case .tooDeep(let limit): "arrays and objects are nested more than \(limit) levels deep"
    case .unexpectedEnd: "the text ends inside a value"
    case .expected(let what): "expected \(what.rawValue)"
    case .trailingText: "there is text after the end of the value"
    case .duplicateName(let name): "the member \"\(name)\" occurs twice in the same object"
    case .invalidUTF8: "the bytes are not UTF-8"
    case .controlCharacter(let byte): "control character \(byte) in a string; write it as an escape"
    case .invalidEscape: "a backslash must be followed by one of \" \\ / b f n r t u"
    case .loneSurrogate: "a \\u escape is one half of a surrogate pair without the other half"
    case .invalidNumber: "this is not a JSON number, or the number is too large"
    }
  }
}
