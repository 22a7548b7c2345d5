// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// An error in a line of a script.
package struct ScriptError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A line of a script.
  package struct Place: Sendable, Hashable {
    /// The name of the script's file.
    package var name: String
    /// The line number, from 1.
    package var line: Int

    /// Creates a position from its parts.
    package init(name: String, line: Int) {
      self.name = name
      self.line = line
    }
  }

  /// The kinds of errors.
  package enum Reason: Sendable, Hashable {
    /// The first token is not a known step.
    case unknownVerb(String)
    /// A step has too many or too few operands.
    case operands(verb: String)
    /// The button is unknown.
    case unknownButton(String)
    /// The orientation is unknown.
    case unknownOrientation(String)
    /// A duration is invalid.
    case duration(String)
    /// The condition is unknown.
    case unknownCondition(String)
    /// A condition has too many or too few operands.
    case condition(String)
    /// The kind of outcome is unknown.
    case unknownOutcome(String)
    /// The detail is not valid for this kind of outcome.
    case outcomeDetail(kind: String, String)
    /// The permission is unknown.
    case unknownPermission(String)
    /// An amount of bytes is invalid.
    case bytes(String)
    /// A number is invalid or out of its range.
    case number(String, ClosedRange<Int>)
    /// The app context is not valid JSON or too large. The associated value is the reason.
    case context(String)
    /// A quotation mark is not closed.
    case quotation
    /// `given` follows the first step.
    case lateGiven
    /// The step follows `quit`, after which nothing can be done.
    case afterQuit(verb: String)
    /// The step requires a simulated environment.
    case requiresSimulation
  }

  /// The position of the error.
  package var place: Place
  /// The kind of error.
  package var reason: Reason

  /// Creates an error from its parts.
  package init(place: Place, reason: Reason) {
    self.place = place
    self.reason = reason
  }

  /// The position and the error, with a fix.
  package var description: String { "\(place.name):\(place.line): \(sentence)" }

  private var sentence: String {
    switch reason {
    case .unknownVerb(let verb):
      "there is no step \"\(verb)\"; write wait, press, hold, cancel, adjust, select, controls, dismiss, power, lock, "
        + "unlock, orientation, quit, await, expect, given, grant, revoke, unplug, camera, space or context"
    case .operands(let verb): "\"\(verb)\" is not written so; write \(Self.forms[verb] ?? verb)"
    case .unknownButton(let word): "there is no button \"\(word)\"; write primary or secondary"
    case .unknownOrientation(let word):
      "there is no orientation \"\(word)\"; write "
        + SceneOrientation.allCases.map(\.rawValue).joined(separator: ", ")
    case .duration(let word): "\"\(word)\" is no time up to a day; write for example 500ms, 2s or 1m"
    default: conditionSentence
    }
  }

  /// The message for errors in conditions and in changes of the environment.
  private var conditionSentence: String {
    switch reason {
    case .unknownCondition(let word):
      "nothing that can be seen of a session is called \"\(word)\"; write "
        + ScriptCondition.words.joined(separator: ", ")
    case .condition(let word):
      "\"\(word)\" is not expected so; write \(ScriptCondition.forms[word] ?? "expect \(word)")"
    case .unknownOutcome(let word):
      "no session ends \"\(word)\"; write " + OutcomePattern.kinds.map(\.kind).joined(separator: ", ")
    case .outcomeDetail(let kind, let word):
      "\"\(word)\" is nothing that is said of the outcome \(kind); write \(OutcomePattern.form(of: kind))"
    case .unknownPermission(let word):
      "there is no permission \"\(word)\"; write "
        + SimulatedEvent.PermissionName.allCases.map(\.rawValue).joined(separator: ", ")
    case .bytes(let word): "\"\(word)\" is no amount of bytes; write for example 0, 512K, 10M or free"
    case .number(let word, let range):
      "\"\(word)\" is no number from \(range.lowerBound) to \(range.upperBound); write one"
    case .context(let why): "the app context cannot be set to this: \(why); write JSON of at most 4096 bytes"
    case .quotation:
      "the quotation has no end; close it with \", and write \\\" for one that belongs to the text"
    case .lateGiven: "what is given holds before the session begins; write it above the first step"
    case .afterQuit(let verb):
      "\"\(verb)\" can do nothing after quit, which ends the session at once; write it before, or take quit away"
    case .requiresSimulation:
      "this session's surroundings are real, and no script can change them; play it with darkroom simulate"
    default: ""
    }
  }

  /// The syntax of each step.
  package static let forms = [
    "wait": "wait 500ms", "press": "press primary", "hold": "hold secondary 2s", "cancel": "cancel primary",
    "dismiss": "dismiss alone", "quit": "quit alone", "power": "power alone", "lock": "lock alone",
    "unlock": "unlock alone", "orientation": "orientation landscapeLeft",
    "adjust": "adjust zoom to 2.5, or adjust zoom by -1", "select": "select filter Mono",
    "controls": "controls active, controls fullscreen or controls inactive",
    "await": "await presented within 5s", "expect": "expect files 3, or expect no file *.part within 1s",
    "given":
      "given locked, given camera denied, given no camera, given camera stalled, given space 1M, given context {\"a\":1}, or "
      + "given authentication fails",
    "grant": "grant camera", "revoke": "revoke camera", "unplug": "unplug alone",
    "camera": "camera stall, camera resume or camera rate 5", "space": "space 1M, space 0 or space free",
    "context": "context {\"quality\":80}",
  ]
}
