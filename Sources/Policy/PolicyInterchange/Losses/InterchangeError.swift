// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// An error in a text that is being parsed, with its position and its fix.
package struct InterchangeError: Error, Sendable, Hashable {
  /// The position of the error, or `nil` if the error is about the text as a whole.
  package var position: TextPosition?
  /// The kind of error.
  package var mistake: Mistake

  /// Creates an error.
  package init(_ position: TextPosition?, _ mistake: Mistake) {
    self.position = position
    self.mistake = mistake
  }

  /// A kind of parse error.
  package enum Mistake: Sendable, Hashable {
    /// The text is not valid JSON.
    case notJSON(String)
    /// The text is not valid UTF-8.
    case notUTF8
    /// A value has the wrong type for its member.
    case wrongKind(member: String, expected: String, found: String)
    /// A required member or part is missing.
    case missing(String)
    /// Two mutually exclusive members are present.
    case conflictingMembers(String, String)
    /// A keyword, option or name is unknown in its context.
    case unknownKeyword(String, kind: String)
    /// A number is out of range.
    case invalidNumber(String)
    /// The argument index is out of range.
    case invalidArgument(String)
    /// The parser expected a different token.
    case expected(String, found: String)
    /// The kernel would reject the compiled program.
    case invalidProgram(String)
    /// The action name is unknown.
    case unknownAction(String)
    /// An included file has an error, which is given as text.
    case includedFile(String, String)
    /// Rules of a call contradict each other, so the library rejects them.
    case conflictingRules(String, library: String)
    /// The library cannot compile the rules.
    case libraryFailure(String, String)
  }
}

extension InterchangeError: CustomStringConvertible {
  /// The error as text, with its position.
  package var description: String {
    let start = position.map { "\($0): " } ?? ""
    return start + mistake.sentence
  }
}

extension InterchangeError.Mistake {
  /// The error and its fix as text.
  fileprivate var sentence: String {
    switch self {
    case .notJSON(let reason): "not valid JSON: \(reason); correct the text at this position"
    case .notUTF8: "not UTF-8 text; save the file as UTF-8"
    case .wrongKind(let member, let expected, let found):
      "\"\(member)\" is \(found); write \(expected)"
    case .missing(let what): "\(what) is missing; add it"
    case .conflictingMembers(let first, let second):
      "\"\(first)\" and \"\(second)\" exclude each other; remove one of them"
    case .unknownKeyword(let word, let kind): "\"\(word)\" is not a valid \(kind); correct or remove it"
    case .invalidNumber(let text):
      "\(text) is not a valid number; write a whole number from 0 to 2^64 - 1"
    case .invalidArgument(let text): "argument \(text) does not exist; a call has the arguments 0 to 5"
    case .expected(let what, let found): "expected \(what), found \(found); correct the line"
    case .invalidProgram(let reason): reason
    case .includedFile(let path, let mistake): "\(path): \(mistake)"
    case .conflictingRules(let call, let library):
      "the rules of \(call) contradict each other, so \(library) refuses them and a container with this profile does "
        + "not start; remove one of the rules"
    case .libraryFailure(let library, let reason): "\(library) cannot compile the rules: \(reason)"
    case .unknownAction(let name):
      "\"\(name)\" is not a valid action; use an action such as SCMP_ACT_ALLOW or SCMP_ACT_ERRNO"
    }
  }
}
