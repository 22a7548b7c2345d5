// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import PolicyWords
internal import Viewfinders

/// A viewfinder that is shown in the terminal of a command, and what has to wait for it.
final class ShownViewfinder {
  /// What shows it.
  let viewfinder: TerminalViewfinder
  /// How the command is stopped at its terminal.
  let stop: TerminalStop
  /// How to tell keys from what still comes of the terminal's answer.
  let keys: TerminalKeys
  /// Whether the terminal was asked something that it has not answered.
  private let isUnanswered: Bool
  private let console: Console
  /// What there was to say while the picture was there, where it would not be seen.
  private var notes: [String] = []

  /// The most sentences that are kept.
  private static let mostNotes = 64

  private init(_ viewfinder: TerminalViewfinder, _ outcome: TerminalQuery.Outcome?, _ console: Console)
    throws(SystemCallError)
  {
    self.viewfinder = viewfinder
    self.console = console
    stop = try TerminalStop(viewfinder)
    keys = outcome?.keys ?? TerminalKeys()
    isUnanswered = outcome != nil && outcome?.answer == nil
    viewfinder.whenLost = { [weak self] text in
      self?.tell()
      console.note("darkroom: \(text)")
    }
  }

  /// Begins to show one in the terminal of a command: by these graphics, or by the best that it has. `keys` says which
  /// keys there are; empty: none.
  static func begin(
    _ graphics: TerminalAbility.Graphics?,
    keys: String,
    _ console: Console
  ) throws(CommandFailure) -> ShownViewfinder {
    guard let terminal = [console.output, console.error].first(where: CurrentProcess.isTerminal) else {
      throw CommandFailure(
        .usage,
        "neither standard output nor standard error is a terminal that could show the viewfinder; run it in one, or "
          + "write it to a file with --preview FILE"
      )
    }
    guard var ability = TerminalAbility(environment: console.environment) else {
      throw CommandFailure(
        .usage,
        "this terminal cannot show pictures: TERM is \(TextTable.printable(console.environment("TERM") ?? "not set")); "
          + "write the viewfinder to a file with --preview FILE"
      )
    }
    var outcome: TerminalQuery.Outcome?
    if let graphics {
      ability.graphics = graphics
    } else if ability.isWorthAsking, TerminalSize.areOneTerminal(console.input, terminal) {
      outcome = TerminalQuery.ask(console.input, askingKitty: !ability.isMultiplexed)
      if let answer = outcome?.answer { ability.note(answer) }
    }
    do throws(SystemCallError) {
      let viewfinder = try TerminalViewfinder.start(on: terminal, ability, keys: keys)
      return try ShownViewfinder(viewfinder, outcome, console)
    } catch {
      throw CommandFailure(
        .machine,
        "the viewfinder cannot be shown: \(error); see that \(TerminalViewfinder.program) is beside darkroom"
      )
    }
  }

  /// Says a sentence to the person, when it can be seen.
  func note(_ text: String) {
    guard viewfinder.isOpen else { return console.note("darkroom: \(text)") }
    if notes.count < Self.mostNotes { notes.append(text) }
  }

  /// Leaves the terminal, with a line that says how the session went; nil: with none. Then says what there was to say.
  func end(_ outcome: String?) {
    viewfinder.end(outcome)
    tell()
    // What comes of an answer now is for nobody, least of all for the shell.
    if isUnanswered, !CurrentProcess.isBehind(console.input) { TerminalMode.forgetInput(console.input) }
  }

  private func tell() {
    for text in notes { console.note("darkroom: \(text)") }
    notes = []
  }
}
