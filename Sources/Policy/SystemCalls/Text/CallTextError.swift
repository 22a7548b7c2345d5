// SPDX-License-Identifier: Apache-2.0

/// A reason for which a text is not a system call.
package enum CallTextError: Error, Sendable, Hashable {
  /// The architecture does not have the call; `elsewhere` has the architectures that do.
  case unknownCall(String, CallArchitecture, elsewhere: [CallArchitecture], suggestion: String?)
  /// The call's number does not fit into 32 bits.
  case numberTooLarge(String)
  /// A text begins like a number and is not a number of at most 64 bits.
  case notANumber(String, column: Int)
  /// The constant does not exist, or the parameter cannot have its value.
  case unknownConstant(String, column: Int, call: String, parameter: String?, suggestion: String?)
  /// A call has more than six arguments.
  case tooManyArguments(String, column: Int)
  /// Something else was expected; `found` is `nil` at the end of the text.
  case expected(Expected, column: Int, found: String?)

  /// An expected element.
  package enum Expected: Sendable, Hashable {
    /// The name or number of a call.
    case call
    /// A number, constants, or `_`.
    case argument
    /// A comma or the closing parenthesis.
    case separator
    /// The end of the text.
    case end
  }
}

extension CallTextError: CustomStringConvertible {
  /// A sentence with the position and the fix.
  package var description: String {
    switch self {
    case .unknownCall(let name, let architecture, let elsewhere, let suggestion):
      Self.unknownCall(name, architecture, elsewhere, suggestion)
    case .numberTooLarge(let text): "'\(text)' is not a call number, which has at most 32 bits"
    case .notANumber(let text, let column):
      "column \(column): '\(text)' is not a number of at most 64 bits; write a number such as 41, -1, 0x29 or 0644"
    case .unknownConstant(let name, let column, let call, let parameter, let suggestion):
      Self.unknownConstant(name, column, call, parameter, suggestion)
    case .tooManyArguments(let call, let column): "column \(column): \(call) has more than six arguments"
    case .expected(let what, let column, let found):
      "column \(column): expected \(what), found \(found.map { "'\($0)'" } ?? "the end")"
    }
  }

  private static func unknownCall(
    _ name: String,
    _ architecture: CallArchitecture,
    _ elsewhere: [CallArchitecture],
    _ suggestion: String?
  ) -> String {
    guard elsewhere.isEmpty else {
      let others = elsewhere.map(\.rawValue).joined(separator: ", ")
      return "\(architecture.rawValue) has no call '\(name)'; the call exists on \(others)"
    }
    let fix =
      suggestion.map { "did you mean '\($0)'?" } ?? "use a name of syscalls(2), or the number of the call"
    return "unknown system call '\(name)'; \(fix)"
  }

  private static func unknownConstant(
    _ name: String,
    _ column: Int,
    _ call: String,
    _ parameter: String?,
    _ suggestion: String?
  ) -> String {
    let fix = suggestion.map { "; did you mean '\($0)'?" } ?? "; use a number"
    let place = parameter.map { "the parameter \($0) of \(call)" } ?? "an argument of \(call)"
    return "column \(column): \(place) cannot be '\(name)'" + fix
  }
}

extension CallTextError.Expected: CustomStringConvertible {
  /// The element as a noun phrase.
  package var description: String {
    switch self {
    case .call: "the name or number of a system call"
    case .argument: "an argument: a number, constants, or _ for any value"
    case .separator: "',' or ')'"
    case .end: "the end"
    }
  }
}
