// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Why a line of a script cannot be read.
package struct ScriptError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where it is.
  package struct Place: Sendable, Hashable {
    /// The name of the script's file.
    package var name: String
    /// The line, from 1.
    package var line: Int

    /// Names a line.
    package init(name: String, line: Int) {
      self.name = name
      self.line = line
    }
  }

  /// What is wrong.
  package enum Reason: Sendable, Hashable {
    /// The first word is no step.
    case unknownVerb(String)
    /// A step has too many words, or too few.
    case operands(verb: String)
    /// A button has another name.
    case unknownButton(String)
    /// An orientation has another name.
    case unknownOrientation(String)
    /// A time is not a time.
    case duration(String)
    /// What is expected is nothing that can be seen.
    case unknownCondition(String)
    /// What is expected has too many words, or too few.
    case condition(String)
    /// Sessions do not end so.
    case unknownOutcome(String)
    /// Sessions that end so have nothing of this to them.
    case outcomeDetail(kind: String, String)
    /// A permission has another name.
    case unknownPermission(String)
    /// An amount of bytes is none.
    case bytes(String)
    /// A number is none, or is outside its range.
    case number(String, ClosedRange<Int>)
    /// The app context is no JSON, or too large; why.
    case context(String)
    /// A quotation has no end.
    case quotation
    /// What is given comes after the first step.
    case lateGiven
    /// There is nothing that could be done any more.
    case afterQuit(verb: String)
    /// Only made-up surroundings can be changed.
    case madeUp
  }

  /// Where.
  package var place: Place
  /// What.
  package var reason: Reason

  /// Describes a mistake.
  package init(place: Place, reason: Reason) {
    self.place = place
    self.reason = reason
  }

  /// A sentence with the mend.
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

  /// What is wrong with what is expected, and with what is made up.
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
        + WorldChange.PermissionName.allCases.map(\.rawValue).joined(separator: ", ")
    case .bytes(let word): "\"\(word)\" is no amount of bytes; write for example 0, 512K, 10M or free"
    case .number(let word, let range):
      "\"\(word)\" is no number from \(range.lowerBound) to \(range.upperBound); write one"
    case .context(let why): "the app context cannot be set to this: \(why); write JSON of at most 4096 bytes"
    case .quotation:
      "the quotation has no end; close it with \", and write \\\" for one that belongs to the text"
    case .lateGiven: "what is given holds before the session begins; write it above the first step"
    case .afterQuit(let verb):
      "\"\(verb)\" can do nothing after quit, which ends the session at once; write it before, or take quit away"
    case .madeUp:
      "this session's surroundings are real, and no script can change them; play it with darkroom simulate"
    default: ""
    }
  }

  /// How each step is written.
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
