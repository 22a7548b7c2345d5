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
    /// A distance in the viewfinder's picture is invalid.
    case coordinate(String)
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
      "unknown step '\(verb)'; use wait, press, hold, down, up, cancel, tap, drag, adjust, select, controls, dismiss, "
        + "power, lock, unlock, orientation, quit, await, expect, given, grant, revoke, unplug, camera, space or context"
    case .operands(let verb): "wrong operands for '\(verb)'; write \(Self.forms[verb] ?? verb)"
    case .unknownButton(let word): "unknown button '\(word)'; use primary or secondary"
    case .unknownOrientation(let word):
      "unknown orientation '\(word)'; use "
        + SceneOrientation.allCases.map(\.rawValue).joined(separator: ", ")
    case .duration(let word):
      "'\(word)' is not a duration of at most one day; write for example 500ms, 2s or 1m"
    default: conditionSentence
    }
  }

  /// The message for errors in conditions and in changes of the environment.
  private var conditionSentence: String {
    switch reason {
    case .unknownCondition(let word):
      "unknown condition '\(word)'; use "
        + ScriptCondition.words.joined(separator: ", ")
    case .condition(let word):
      "wrong operands for the condition '\(word)'; write \(ScriptCondition.forms[word] ?? "expect \(word)")"
    case .unknownOutcome(let word):
      "unknown outcome '\(word)'; use " + OutcomePattern.kinds.map(\.kind).joined(separator: ", ")
    case .outcomeDetail(let kind, let word):
      "'\(word)' is not a detail of the outcome \(kind); write \(OutcomePattern.form(of: kind))"
    case .unknownPermission(let word):
      "unknown permission '\(word)'; use "
        + SimulatedEvent.PermissionName.allCases.map(\.rawValue).joined(separator: ", ")
    case .coordinate(let word):
      "'\(word)' is not a distance in pixels; write a number of at least 0 and less than "
        + "\(FrameRingLayout.maximumDimension)"
    case .bytes(let word): "'\(word)' is not a number of bytes; write for example 0, 512K, 10M or free"
    case .number(let word, let range):
      "'\(word)' is not a number from \(range.lowerBound) to \(range.upperBound)"
    case .context(let why): "the app context is not valid: \(why); write JSON of at most 4096 bytes"
    case .quotation:
      "the quotation mark is not closed; close the text with \", and write \\\" for a quotation mark in the text"
    case .lateGiven: "'given' must precede the first step; move the line up"
    case .afterQuit(let verb):
      "'\(verb)' has no effect after quit, which ends the session at once; move it before quit, or remove quit"
    case .requiresSimulation:
      "this step requires a simulated environment; run the script with 'darkroom simulate'"
    default: ""
    }
  }

  /// The syntax of each step.
  package static let forms = [
    "wait": "wait 500ms", "press": "press primary", "hold": "hold secondary 2s", "down": "down primary",
    "up": "up primary", "cancel": "cancel primary",
    "tap": "tap 320 240, or tap 320 240 for 1s", "drag": "drag 10 240 to 310 240 in 500ms",
    "dismiss": "dismiss without operands", "quit": "quit without operands", "power": "power without operands",
    "lock": "lock without operands",
    "unlock": "unlock without operands", "orientation": "orientation landscapeLeft",
    "adjust": "adjust zoom to 2.5, or adjust zoom by -1", "select": "select filter Mono",
    "controls": "controls active, controls fullscreen or controls inactive",
    "await": "await presented within 5s", "expect": "expect files 3, or expect no file *.part within 1s",
    "given":
      "given locked, given camera denied, given no camera, given camera stalled, given space 1M, given context {\"a\":1}, or "
      + "given authentication fails",
    "grant": "grant camera", "revoke": "revoke camera", "unplug": "unplug without operands",
    "camera": "camera stall, camera resume or camera rate 5", "space": "space 1M, space 0 or space free",
    "context": "context {\"quality\":80}",
  ]
}
