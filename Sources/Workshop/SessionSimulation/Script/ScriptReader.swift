// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol

/// A parser of scripts. A line with an error is reported and omitted.
struct ScriptReader {
  /// The parsed script.
  private(set) var script = SessionScript()
  /// The errors in the order of their lines.
  private(set) var errors: [ScriptError] = []
  /// Whether a step was read, including steps with an error.
  private var hasStarted = false
  /// Whether a step ends the session, so that later assertions apply to its end.
  private var isEnding = false
  /// Whether a step quit the session.
  private var hasQuit = false

  /// Creates a parser for a script with a name.
  init(name: String) { script.name = name }

  /// Parses a line.
  mutating func read(_ line: Substring, number: Int) {
    let words = ScriptTokens(line)
    let place = ScriptError.Place(name: script.name, line: number)
    do throws(ScriptError) {
      guard words.isTerminated else { throw ScriptError(place: place, reason: .quotation) }
      guard let verb = words.tokens.first else { return }
      try read(verb, Array(words.tokens.dropFirst()), ScriptLine(place: place, words: words))
    } catch { errors.append(error) }
  }

  private mutating func read(_ verb: String, _ operands: [String], _ line: ScriptLine) throws(ScriptError) {
    if verb == "given" {
      guard !hasStarted else { throw line.error(.lateGiven) }
      script.given.append(.init(line: line.place.line, change: try line.precondition(operands)))
      return
    }
    hasStarted = true
    let actions = try actions(verb, operands, line)
    let isDone = actions.contains { action in
      switch action {
      case .command, .change: true
      case .wait, .assert: false
      }
    }
    if isDone, hasQuit { throw line.error(.afterQuit(verb: verb)) }
    for action in actions {
      script.steps.append(.init(line: line.place.line, text: line.words.text, action: action))
    }
    isEnding = isEnding || ["dismiss", "power", "quit"].contains(verb)
    hasQuit = hasQuit || verb == "quit"
  }

  /// Returns the actions of a step: several for a press, which is a button-down and a button-up event, or a touch.
  private func actions(
    _ verb: String,
    _ operands: [String],
    _ line: ScriptLine
  ) throws(ScriptError) -> [SessionScript.Action] {
    switch (verb, operands.count) {
    case ("wait", 1): return [.wait(try line.duration(operands[0]))]
    case ("press", _), ("hold", _), ("down", _), ("up", _), ("cancel", _):
      return try line.press(verb, operands)
    case ("tap", _): return try line.tap(operands)
    case ("drag", _): return try line.drag(operands)
    case ("dismiss", 0): return [.command(.dismiss)]
    case ("quit", 0): return [.command(.quit)]
    case ("power", 0): return [.command(.power)]
    case ("lock", 0): return [.command(.lock(.locked))]
    case ("unlock", 0): return [.command(.lock(.unlocked))]
    case ("orientation", 1): return [.command(.orientation(try line.orientation(operands[0])))]
    case ("await", 1...), ("expect", 1...):
      let manner = verb == "await" ? ScriptAssertion.Kind.await : .expect
      return [.assert(try line.assertion(manner, operands, isEnding: isEnding))]
    default:
      if let command = CameraControlCommand(verb, operands) { return [.command(.cameraControl(command))] }
      if let change = try line.change(verb, operands) { return [.change(change)] }
      throw line.error(ScriptError.forms[verb] == nil ? .unknownVerb(verb) : .operands(verb: verb))
    }
  }
}

/// A line of a script, with methods that parse its tokens.
struct ScriptLine {
  /// The position of the line.
  let place: ScriptError.Place
  /// The tokens of the line.
  let words: ScriptTokens

  /// Returns an error for this line.
  func error(_ reason: ScriptError.Reason) -> ScriptError { ScriptError(place: place, reason: reason) }

  /// Returns the actions of a button step. The button is on the machine, or remote if the first operand says
  /// so.
  func press(_ verb: String, _ operands: [String]) throws(ScriptError) -> [SessionScript.Action] {
    let source: CaptureSource = operands.first == CaptureSource.remote.rawValue ? .remote : .button
    let operands = source == .remote ? Array(operands.dropFirst()) : operands
    func event(_ phase: CapturePhase) throws(ScriptError) -> SessionScript.Action {
      .command(.capture(CaptureEvent(try button(operands.first), phase, from: source)))
    }
    switch (verb, operands.count) {
    case ("press", 0...1): return [try event(.began), try event(.ended)]
    case ("hold", 2): return [try event(.began), .wait(try duration(operands[1])), try event(.ended)]
    case ("down", 1): return [try event(.began)]
    case ("up", 1): return [try event(.ended)]
    case ("cancel", 1): return [try event(.cancelled)]
    default: throw error(.operands(verb: verb))
    }
  }

  /// Parses an orientation.
  func orientation(_ word: String) throws(ScriptError) -> SceneOrientation {
    guard let orientation = SceneOrientation(rawValue: word) else { throw error(.unknownOrientation(word)) }
    return orientation
  }

  private func button(_ word: String?) throws(ScriptError) -> CaptureButton {
    guard let word else { return .primary }
    guard let button = CaptureButton(rawValue: word) else { throw error(.unknownButton(word)) }
    return button
  }

  /// Parses `500ms`, `2s`, `1.5s` or `1m`, in nanoseconds; at most a day.
  func duration(_ word: String) throws(ScriptError) -> UInt64 {
    for (unit, nanoseconds) in [("ms", 1e6), ("s", 1e9), ("m", 60e9)] where word.hasSuffix(unit) {
      guard let number = Double(word.dropLast(unit.count)), number >= 0, number * nanoseconds <= 86400e9
      else { break }
      return UInt64(number * nanoseconds)
    }
    throw error(.duration(word))
  }

  /// Parses an integer within a range.
  func number(_ word: String, _ range: ClosedRange<Int>) throws(ScriptError) -> Int {
    guard let number = Int(word), range.contains(number) else { throw error(.number(word, range)) }
    return number
  }
}
