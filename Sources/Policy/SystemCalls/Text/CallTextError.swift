// SPDX-License-Identifier: Apache-2.0

/// Why a text is no system call.
package enum CallTextError: Error, Sendable, Hashable {
  /// There is no such call on this architecture; `elsewhere` has those where there is one.
  case unknownCall(String, CallArchitecture, elsewhere: [CallArchitecture], suggestion: String?)
  /// The call's number does not fit into 32 bits.
  case numberTooLarge(String)
  /// It begins like a number and is none, or is one of more than 64 bits.
  case notANumber(String, column: Int)
  /// There is no such constant, or the parameter cannot be it.
  case unknownConstant(String, column: Int, call: String, parameter: String?, suggestion: String?)
  /// A call has at most six arguments.
  case tooManyArguments(String, column: Int)
  /// Something else has to stand here; `found` is nil at the end.
  case expected(Expected, column: Int, found: String?)

  /// What can stand at a place.
  package enum Expected: Sendable, Hashable {
    /// The name or number of a call.
    case call
    /// A number, constants, or `_`.
    case argument
    /// A comma or the closing parenthesis.
    case separator
    /// Nothing more.
    case end
  }
}

extension CallTextError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownCall(let name, let architecture, let elsewhere, let suggestion):
      Self.unknownCall(name, architecture, elsewhere, suggestion)
    case .numberTooLarge(let text): "\(text) is no number of a call: those have 32 bits"
    case .notANumber(let text, let column):
      "column \(column): \(text) is no number of at most 64 bits; write it like 41, -1, 0x29 or 0644"
    case .unknownConstant(let name, let column, let call, let parameter, let suggestion):
      Self.unknownConstant(name, column, call, parameter, suggestion)
    case .tooManyArguments(let call, let column): "column \(column): \(call) has more than six arguments"
    case .expected(let what, let column, let found):
      "column \(column): expected \(what), found \(found.map { "\"\($0)\"" } ?? "the end")"
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
      return "\(architecture.rawValue) has no call \"\(name)\"; there is one on \(others)"
    }
    return "no call has the name \"\(name)\"" + (suggestion.map { "; did you mean \($0)?" } ?? "")
  }

  private static func unknownConstant(
    _ name: String,
    _ column: Int,
    _ call: String,
    _ parameter: String?,
    _ suggestion: String?
  ) -> String {
    let mend = suggestion.map { "; did you mean \($0)?" } ?? "; a number is possible, too"
    let place = parameter.map { "the parameter \($0) of \(call)" } ?? "an argument of \(call)"
    return "column \(column): \(place) cannot be \(name)" + mend
  }
}

extension CallTextError.Expected: CustomStringConvertible {
  package var description: String {
    switch self {
    case .call: "the name or number of a system call"
    case .argument: "an argument: a number, constants, or _ for anything"
    case .separator: "\",\" or \")\""
    case .end: "nothing more"
    }
  }
}
