// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// What a person would do, written down: one line a step.
///
/// ```
/// # three pictures, then away
/// wait 500ms
/// press primary
/// wait 1s
/// hold secondary 2s
/// dismiss
/// ```
/// `press remote primary` and `hold remote secondary 2s` do the same with a button that is not on the machine, as one on
/// headphones. The other steps are `cancel primary`, `power`, `lock`, `unlock`, `orientation landscapeLeft` and `quit`,
/// and those of a ``CameraControlCommand``.
///
/// Time begins when the extension listens for capture events (or at once, for one that speaks no protocol), so that
/// no press is lost to a slow start. A script that ends without `dismiss` or `quit` leaves the session running.
package struct SessionScript: Sendable, Hashable {
  /// A command and when it comes, in nanoseconds from the beginning.
  package struct Moment: Sendable, Hashable {
    /// When.
    package var time: UInt64
    /// What.
    package var command: SessionCommand
  }

  /// The commands in the order of their times.
  package private(set) var moments: [Moment] = []

  /// A script without lines: nobody does anything.
  package init() {}

  /// Reads a script.
  package init(_ text: String, name: String) throws(ScriptError) {
    var now: UInt64 = 0
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let verb = words.first else { continue }
      let place = ScriptError.Place(name: name, line: index + 1)
      try append(verb, Array(words.dropFirst()), place, &now)
    }
  }

  private mutating func append(
    _ verb: String,
    _ operands: [String],
    _ place: ScriptError.Place,
    _ now: inout UInt64
  ) throws(ScriptError) {
    switch (verb, operands.count) {
    case ("wait", 1):
      now += try Self.duration(operands[0], place)
    case ("press", _), ("hold", _), ("cancel", _): try appendPress(verb, operands, place, &now)
    case ("dismiss", 0): add(now, .dismiss)
    case ("quit", 0): add(now, .quit)
    case ("power", 0): add(now, .power)
    case ("lock", 0): add(now, .lock(.locked))
    case ("unlock", 0): add(now, .lock(.unlocked))
    case ("orientation", 1): add(now, .orientation(try Self.orientation(operands[0], place)))
    default:
      if let command = CameraControlCommand(verb, operands) { return add(now, .cameraControl(command)) }
      let isKnown = ScriptError.forms[verb] != nil
      throw ScriptError(place: place, reason: isKnown ? .operands(verb: verb) : .unknownVerb(verb))
    }
  }

  /// What is done with a button, on the machine or, where the first operand says so, away from it.
  private mutating func appendPress(
    _ verb: String,
    _ operands: [String],
    _ place: ScriptError.Place,
    _ now: inout UInt64
  ) throws(ScriptError) {
    let source: CaptureSource = operands.first == CaptureSource.remote.rawValue ? .remote : .button
    let operands = source == .remote ? Array(operands.dropFirst()) : operands
    func event(_ phase: CapturePhase) throws(ScriptError) -> SessionCommand {
      .capture(CaptureEvent(try Self.button(operands.first, place), phase, from: source))
    }
    switch (verb, operands.count) {
    case ("press", 0...1):
      add(now, try event(.began))
      add(now, try event(.ended))
    case ("hold", 2):
      add(now, try event(.began))
      now += try Self.duration(operands[1], place)
      add(now, try event(.ended))
    case ("cancel", 1): add(now, try event(.cancelled))
    default: throw ScriptError(place: place, reason: .operands(verb: verb))
    }
  }

  private static func orientation(
    _ word: String,
    _ place: ScriptError.Place
  ) throws(ScriptError) -> SceneOrientation {
    guard let orientation = SceneOrientation(rawValue: word) else {
      throw ScriptError(place: place, reason: .unknownOrientation(word))
    }
    return orientation
  }

  private mutating func add(_ time: UInt64, _ command: SessionCommand) {
    moments.append(Moment(time: time, command: command))
  }

  private static func button(_ word: String?, _ place: ScriptError.Place) throws(ScriptError) -> CaptureButton
  {
    guard let word else { return .primary }
    guard let button = CaptureButton(rawValue: word) else {
      throw ScriptError(place: place, reason: .unknownButton(word))
    }
    return button
  }

  /// Reads `500ms`, `2s`, `1.5s` or `1m`; not more than a day.
  private static func duration(_ word: String, _ place: ScriptError.Place) throws(ScriptError) -> UInt64 {
    for (unit, nanoseconds) in [("ms", 1e6), ("s", 1e9), ("m", 60e9)] where word.hasSuffix(unit) {
      guard let number = Double(word.dropLast(unit.count)), number >= 0, number * nanoseconds <= 86400e9
      else { break }
      return UInt64(number * nanoseconds)
    }
    throw ScriptError(place: place, reason: .duration(word))
  }
}

/// Why a line of a script cannot be read.
package struct ScriptError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where it is.
  package struct Place: Sendable, Hashable {
    /// The name of the script's file.
    package var name: String
    /// The line, from 1.
    package var line: Int
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
  }

  /// Where.
  package var place: Place
  /// What.
  package var reason: Reason

  /// A sentence with the mend.
  package var description: String { "\(place.name):\(place.line): \(sentence)" }

  private var sentence: String {
    switch reason {
    case .unknownVerb(let verb):
      "there is no step \"\(verb)\"; write wait, press, hold, cancel, adjust, select, controls, dismiss, power, lock, "
        + "unlock, orientation or quit"
    case .operands(let verb): "\"\(verb)\" is not written so; write \(Self.forms[verb] ?? verb)"
    case .unknownButton(let word): "there is no button \"\(word)\"; write primary or secondary"
    case .unknownOrientation(let word):
      "there is no orientation \"\(word)\"; write "
        + SceneOrientation.allCases.map(\.rawValue).joined(separator: ", ")
    case .duration(let word): "\"\(word)\" is no time up to a day; write for example 500ms, 2s or 1m"
    }
  }

  /// How each step is written.
  fileprivate static let forms = [
    "wait": "wait 500ms", "press": "press primary", "hold": "hold secondary 2s", "cancel": "cancel primary",
    "dismiss": "dismiss alone", "quit": "quit alone", "power": "power alone", "lock": "lock alone",
    "unlock": "unlock alone", "orientation": "orientation landscapeLeft",
    "adjust": "adjust zoom to 2.5, or adjust zoom by -1", "select": "select filter Mono",
    "controls": "controls active, controls fullscreen or controls inactive",
  ]
}
