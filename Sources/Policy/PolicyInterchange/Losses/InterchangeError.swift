// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Why a text cannot be read as what it should be: where, what, and how to mend it.
package struct InterchangeError: Error, Sendable, Hashable {
  /// Where the reader stopped; nil: the text as a whole.
  package var position: TextPosition?
  /// What is wrong.
  package var mistake: Mistake

  /// Describes a failure.
  package init(_ position: TextPosition?, _ mistake: Mistake) {
    self.position = position
    self.mistake = mistake
  }

  /// The ways in which a text can be wrong.
  package enum Mistake: Sendable, Hashable {
    /// The text is not JSON.
    case notJSON(String)
    /// The text is not UTF-8.
    case notText
    /// A value is of another kind than its member wants.
    case wrongKind(member: String, expected: String, found: String)
    /// A member or part that there must be is missing.
    case missing(String)
    /// Two members say the same thing.
    case both(String, String)
    /// A word that means nothing there.
    case unknownWord(String, kind: String)
    /// A number that does not fit.
    case number(String)
    /// An argument that no call has.
    case argument(String)
    /// Something stands where something else should.
    case expected(String, found: String)
    /// The program is none that the kernel takes.
    case program(String)
    /// An action that is no answer to a call.
    case action(String)
    /// A mistake in an included file, in words.
    case included(String, String)
    /// Rules of a call contradict each other, so that the library refuses them.
    case conflict(String, library: String)
    /// The library compiles no program of the rules.
    case library(String, String)
  }
}

extension InterchangeError: CustomStringConvertible {
  /// A sentence with the place.
  package var description: String {
    let start = position.map { "\($0): " } ?? ""
    return start + mistake.sentence
  }
}

extension InterchangeError.Mistake {
  /// What is wrong, and how to mend it.
  fileprivate var sentence: String {
    switch self {
    case .notJSON(let reason): "this is not JSON: \(reason); correct the text at this place"
    case .notText: "this is not UTF-8 text; save the file as UTF-8"
    case .wrongKind(let member, let expected, let found):
      "\"\(member)\" is \(found); write \(expected)"
    case .missing(let what): "\(what) is missing; add it"
    case .both(let first, let second): "there are both \"\(first)\" and \"\(second)\"; remove one of the two"
    case .unknownWord(let word, let kind): "\"\(word)\" is no \(kind); correct or remove it"
    case .number(let text):
      "\(text) is no number that fits; write a whole number from 0 to 2^64 - 1"
    case .argument(let text): "there is no argument \(text); a call has the arguments 0 to 5"
    case .expected(let what, let found): "expected \(what), found \(found); correct the line"
    case .program(let reason): reason
    case .included(let path, let mistake): "\(path): \(mistake)"
    case .conflict(let call, let library):
      "the rules of \(call) contradict each other: \(library) refuses them, and a container with this profile does not start; "
        + "remove one of them"
    case .library(let library, let reason): "\(library) cannot compile the rules: \(reason)"
    case .action(let name): "\"\(name)\" is no action; use one such as SCMP_ACT_ALLOW or SCMP_ACT_ERRNO"
    }
  }
}
