// SPDX-License-Identifier: Apache-2.0

/// A condition that can be observed from outside a session.
package enum ScriptCondition: Sendable, Hashable {
  /// The extension has answered the first message.
  case answered
  /// The camera is running for the extension.
  case camera
  /// The extension receives capture events.
  case listening
  /// The extension receives pointer events.
  case touchable
  /// The extension has presented a viewfinder.
  case presented
  /// The extension consumes one more frame.
  case frame
  /// The extension has consumed at least this number of frames.
  case frames(Int)
  /// The extension has left a file with a matching name; `*` matches anything.
  case file(String)
  /// The extension has left exactly this number of files.
  case files(Int)
  /// The session's log contains this text, from the extension or the host.
  case log(String)
  /// The dismissal of the session has started.
  case dismissed
  /// No process of the extension is left.
  case ended
  /// The outcome of the session matches a pattern.
  case outcome(OutcomePattern)
  /// This call was refused, or any call if `nil`.
  case refusal(String?)
  /// The session record contains a violation with this text, or any violation if `nil`.
  case violation(String?)

  /// The first tokens of all conditions.
  package static let words = [
    "answered", "camera", "listening", "touchable", "presented", "frame", "frames", "file", "files", "log",
    "dismissed", "ended", "outcome", "refusal", "violation",
  ]

  /// Examples of the conditions with operands.
  static let forms = [
    "frames": "expect frames 10", "file": "expect file photo-1.jpg, or expect file *.jpg",
    "files": "expect files 3", "log": "expect log \"wrote photo-1\"", "outcome": "expect outcome dismissed",
    "refusal": "expect refusal socket, or expect no refusal",
    "violation": "expect violation \"the log ends early\", or expect no violation",
  ]

  /// Whether the condition can be evaluated only after the session has ended.
  var isKnownAtEnd: Bool {
    switch self {
    case .ended, .outcome, .refusal, .violation: true
    default: false
    }
  }
}

/// An assertion: a condition that must or must not hold at a certain time.
package struct ScriptAssertion: Sendable, Hashable {
  /// The consequence of a failed assertion.
  package enum Kind: String, Sendable, Hashable {
    /// The script stops, and the session is dismissed.
    case await
    /// The script continues, but has failed.
    case expect
  }

  /// The time at which the condition must hold.
  package enum Time: Sendable, Hashable {
    /// Now.
    case now
    /// At some moment within this time, in nanoseconds. A negated `expect` must hold at every moment; a
    /// negated `await` must hold at one moment.
    case within(UInt64)
    /// When the session has ended. The value is the time limit for the end in nanoseconds, or `nil` for no
    /// limit.
    case end(UInt64?)
  }

  /// The consequence of a failure.
  package var kind: Kind
  /// Whether the condition must not hold.
  package var isNegated: Bool
  package var condition: ScriptCondition
  /// The time at which the condition must hold.
  package var time: Time

  /// The default time limit, in nanoseconds.
  static let defaultTimeout: UInt64 = 10_000_000_000
}

extension ScriptLine {
  /// Parses `[no] CONDITION [within DURATION]`. `isEnding` is whether an earlier line ends the session.
  /// Assertions without a time then apply to the end.
  func assertion(
    _ manner: ScriptAssertion.Kind,
    _ operands: [String],
    isEnding: Bool
  ) throws(ScriptError) -> ScriptAssertion {
    var words = operands
    var time: UInt64?
    if words.count >= 2, words[words.count - 2] == "within" {
      time = try duration(words[words.count - 1])
      words.removeLast(2)
    }
    let isNegated = words.first == "no"
    if isNegated { words.removeFirst() }
    guard let word = words.first else { throw error(.operands(verb: manner.rawValue)) }
    let condition = try condition(word, Array(words.dropFirst()))
    return ScriptAssertion(
      kind: manner,
      isNegated: isNegated,
      condition: condition,
      time: Self.time(manner, condition, time, isEnding: isEnding)
    )
  }

  private static func time(
    _ manner: ScriptAssertion.Kind,
    _ condition: ScriptCondition,
    _ time: UInt64?,
    isEnding: Bool
  ) -> ScriptAssertion.Time {
    let patience = isEnding ? nil : ScriptAssertion.defaultTimeout
    if condition.isKnownAtEnd { return .end(time ?? patience) }
    if let time { return .within(time) }
    if isEnding { return .end(nil) }
    return manner == .await ? .within(ScriptAssertion.defaultTimeout) : .now
  }

  private func condition(_ word: String, _ operands: [String]) throws(ScriptError) -> ScriptCondition {
    switch (word, operands.count) {
    case ("answered", 0): return .answered
    case ("camera", 0): return .camera
    case ("listening", 0): return .listening
    case ("touchable", 0): return .touchable
    case ("presented", 0): return .presented
    case ("frame", 0): return .frame
    case ("frames", 1): return .frames(try number(operands[0], 1...1_000_000_000))
    case ("file", 1) where !operands[0].isEmpty: return .file(operands[0])
    case ("files", 1): return .files(try number(operands[0], 0...1_000_000))
    case ("log", 1) where !operands[0].isEmpty: return .log(operands[0])
    case ("dismissed", 0): return .dismissed
    case ("ended", 0): return .ended
    case ("refusal", 0...1): return .refusal(operands.first)
    case ("violation", 0...1): return .violation(operands.first)
    case ("outcome", 1...):
      do throws(OutcomePattern.ParseError) { return .outcome(try OutcomePattern(operands)) } catch {
        switch error {
        case .kind(let word): throw self.error(.unknownOutcome(word))
        case .detail(let kind, let word): throw self.error(.outcomeDetail(kind: kind, word))
        }
      }
    default:
      throw error(
        ScriptCondition.words.contains(word) ? .condition(word) : .unknownCondition(word)
      )
    }
  }
}
