// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import PolicyExplanation
internal import Viewfinders

/// A viewfinder in the terminal of a command, with the messages that are deferred until it ends.
final class TerminalPreview {
  let viewfinder: TerminalViewfinder
  /// The handler that stops the command in its terminal.
  let stop: TerminalStopHandler
  /// The filter that distinguishes keys from late answers of the terminal.
  let keys: TerminalKeyFilter
  /// Whether a query to the terminal was not answered.
  private let isUnanswered: Bool
  private let console: Console
  /// The messages that were deferred, because the image would hide them.
  private var notes: [String] = []

  /// The maximum number of deferred messages.
  private static let maximumNotes = 64

  private init(_ viewfinder: TerminalViewfinder, _ outcome: TerminalQuery.Outcome?, _ console: Console)
    throws(SystemCallError)
  {
    self.viewfinder = viewfinder
    self.console = console
    stop = try TerminalStopHandler(viewfinder)
    keys = outcome?.keys ?? TerminalKeyFilter()
    isUnanswered = outcome != nil && outcome?.answer == nil
    viewfinder.whenLost = { [weak self] text in
      self?.printNotes()
      console.note("darkroom: \(text)")
    }
  }

  /// Starts a viewfinder in the terminal of a command.
  ///
  /// `graphics` is the graphics protocol, or `nil` for the best supported one. `keys` is the help text about
  /// the keys, or an empty string if no keys are read.
  static func start(
    _ graphics: TerminalCapabilities.Graphics?,
    keys: String,
    _ console: Console
  ) throws(CommandFailure) -> TerminalPreview {
    guard let terminal = [console.output, console.error].first(where: CurrentProcess.isTerminal) else {
      throw CommandFailure(
        .usage,
        "--preview terminal requires a terminal on standard output or standard error; run the command in a terminal, or "
          + "write the viewfinder to a file with --preview FILE"
      )
    }
    guard var capabilities = TerminalCapabilities(environment: console.environment) else {
      throw CommandFailure(
        .usage,
        "this terminal cannot show images: TERM is \(TextTable.printable(console.environment("TERM") ?? "not set")); "
          + "write the viewfinder to a file with --preview FILE"
      )
    }
    var outcome: TerminalQuery.Outcome?
    if let graphics {
      capabilities.graphics = graphics
    } else if capabilities.shouldQuery, TerminalSize.areOneTerminal(console.input, terminal) {
      outcome = TerminalQuery.ask(console.input, askingKitty: !capabilities.isMultiplexed)
      if let answer = outcome?.answer { capabilities.apply(answer) }
    }
    do throws(SystemCallError) {
      let viewfinder = try TerminalViewfinder.start(on: terminal, capabilities, keys: keys)
      return try TerminalPreview(viewfinder, outcome, console)
    } catch {
      throw CommandFailure(
        .machine,
        "the viewfinder cannot be shown: \(error); check that \(TerminalViewfinder.program) is in the directory of darkroom"
      )
    }
  }

  /// Prints a message, or defers it while the viewfinder is open.
  func note(_ text: String) {
    guard viewfinder.isOpen else { return console.note("darkroom: \(text)") }
    if notes.count < Self.maximumNotes { notes.append(text) }
  }

  /// Ends the viewfinder and prints the deferred messages. `outcome` is printed as the last line of the
  /// viewfinder, unless it is `nil`.
  func end(_ outcome: String?) {
    viewfinder.end(outcome)
    printNotes()
    // A late answer of the terminal must not reach the shell as input.
    if isUnanswered, !CurrentProcess.isInBackground(console.input) {
      TerminalMode.discardInput(console.input)
    }
  }

  private func printNotes() {
    for text in notes { console.note("darkroom: \(text)") }
    notes = []
  }
}
