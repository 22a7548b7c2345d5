// SPDX-License-Identifier: Apache-2.0

/// What can be seen of a session, from outside.
package enum ScriptCondition: Sendable, Hashable {
  /// The extension has answered the first message.
  case answered
  /// The camera runs for it.
  case camera
  /// It hears the person's buttons.
  case listening
  /// It has shown a viewfinder.
  case presented
  /// It finishes with one more frame.
  case frame
  /// It has finished with so many frames.
  case frames(Int)
  /// It has left a file with such a name; `*` stands for anything.
  case file(String)
  /// It has left so many files.
  case files(Int)
  /// It, or the host, has written this into the session's log.
  case log(String)
  /// It was told to end.
  case dismissed
  /// No process of it is left.
  case ended
  /// The session has ended so.
  case outcome(OutcomePattern)
  /// It was refused this call; nil: any.
  case refusal(String?)
  /// The record names something that went wrong, with these words in it; nil: anything.
  case violation(String?)

  /// The words that begin a condition.
  package static let words = [
    "answered", "camera", "listening", "presented", "frame", "frames", "file", "files", "log", "dismissed",
    "ended",
    "outcome", "refusal", "violation",
  ]

  /// How those are written that have operands.
  static let forms = [
    "frames": "expect frames 10", "file": "expect file photo-1.jpg, or expect file *.jpg",
    "files": "expect files 3", "log": "expect log \"wrote photo-1\"", "outcome": "expect outcome dismissed",
    "refusal": "expect refusal socket, or expect no refusal",
    "violation": "expect violation \"the log ends early\", or expect no violation",
  ]

  /// Whether it can be known only when the session has ended.
  var isOfTheEnd: Bool {
    switch self {
    case .ended, .outcome, .refusal, .violation: true
    default: false
    }
  }
}

/// A condition that has to hold, or must not, and when.
package struct ScriptJudgement: Sendable, Hashable {
  /// What follows if it is not so.
  package enum Manner: String, Sendable, Hashable {
    /// The script cannot go on, and the session is dismissed.
    case await
    /// The script goes on, and has failed.
    case expect
  }

  /// When it has to be so.
  package enum Time: Sendable, Hashable {
    /// Now.
    case now
    /// At some moment within so many nanoseconds. What must not be, may be at none of them; what is waited for until it is
    /// no more, must not be at one of them.
    case within(UInt64)
    /// When the session has ended; nil: whenever that is; otherwise, in nanoseconds, how long it may take.
    case end(UInt64?)
  }

  /// What follows if it is not so.
  package var manner: Manner
  /// Whether it must not be so.
  package var isDenied: Bool
  /// What.
  package var condition: ScriptCondition
  /// When.
  package var time: Time

  /// How long is waited for where the script does not say, in nanoseconds.
  static let patience: UInt64 = 10_000_000_000
}

extension ScriptLine {
  /// Reads `[no] CONDITION [within DURATION]`. `isEnding`: the session was told to end by a line above, so that what has
  /// no time is expected of its end.
  func judgement(
    _ manner: ScriptJudgement.Manner,
    _ operands: [String],
    isEnding: Bool
  ) throws(ScriptError) -> ScriptJudgement {
    var words = operands
    var time: UInt64?
    if words.count >= 2, words[words.count - 2] == "within" {
      time = try duration(words[words.count - 1])
      words.removeLast(2)
    }
    let isDenied = words.first == "no"
    if isDenied { words.removeFirst() }
    guard let word = words.first else { throw error(.operands(verb: manner.rawValue)) }
    let condition = try condition(word, Array(words.dropFirst()))
    return ScriptJudgement(
      manner: manner,
      isDenied: isDenied,
      condition: condition,
      time: Self.time(manner, condition, time, isEnding: isEnding)
    )
  }

  private static func time(
    _ manner: ScriptJudgement.Manner,
    _ condition: ScriptCondition,
    _ time: UInt64?,
    isEnding: Bool
  ) -> ScriptJudgement.Time {
    let patience = isEnding ? nil : ScriptJudgement.patience
    if condition.isOfTheEnd { return .end(time ?? patience) }
    if let time { return .within(time) }
    if isEnding { return .end(nil) }
    return manner == .await ? .within(ScriptJudgement.patience) : .now
  }

  private func condition(_ word: String, _ operands: [String]) throws(ScriptError) -> ScriptCondition {
    switch (word, operands.count) {
    case ("answered", 0): return .answered
    case ("camera", 0): return .camera
    case ("listening", 0): return .listening
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
      do throws(OutcomePattern.Mistake) { return .outcome(try OutcomePattern(operands)) } catch {
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
