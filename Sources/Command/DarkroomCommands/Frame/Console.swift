// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import HostService
package import JSONText
internal import LinuxPrimitives
package import PersonAuthentication
internal import PolicyWords

/// Where a command writes, and what it knows of its surroundings; tests give it others.
package struct Console: Sendable {
  /// The descriptor for results.
  package var output: Int32
  /// The descriptor for everything else.
  package var error: Int32
  /// The descriptor for keys.
  package var input: Int32
  /// Reads a variable of the environment.
  package var environment: @Sendable (String) -> String?
  /// The terminal at which a person is asked.
  package var terminal = TerminalPrompt.Terminal.path("/dev/tty")
  /// In whose process the command runs.
  package var process = HostProcess.other
  /// What went wrong with the results.
  let failure = OutputFailure()

  /// The standard streams and the environment of this process.
  package static let standard: Console = {
    var console = Console(output: 1, error: 2, input: 0, environment: { CurrentProcess.environment($0) })
    console.process = .own
    return console
  }()

  /// In whose process a command runs.
  package enum HostProcess: Sendable {
    /// In its own: one that a person or a program has started for it.
    case own
    /// In that of a server, for one of its clients.
    case server(ServedCommand, HostResources)
    /// In another, which uses commands as a library.
    case other
  }

  /// Makes a console.
  package init(
    output: Int32,
    error: Int32,
    input: Int32,
    environment: @escaping @Sendable (String) -> String?
  ) {
    self.output = output
    self.error = error
    self.input = input
    self.environment = environment
  }

  /// Writes a line of results.
  package func print(_ line: String) { write("\(line)\n") }

  /// Writes results for programs.
  package func print(_ value: JSONValue) { write(value.text(.indented)) }

  /// Writes results that are no text.
  func print(bytes: [UInt8]) {
    do { try Descriptor.write(bytes, toNumber: output) } catch { failure.note(error) }
  }

  /// Writes one value a line, for programs that follow a sequence.
  package func printLine(_ value: JSONValue) { write(value.text(.compact) + "\n") }

  /// Writes a line, or several, that are no result.
  ///
  /// What is told of may have chosen its name itself: a file, an app, a camera. So nothing of it reaches the terminal as an
  /// order. Nobody is left to tell of a failure to write to standard error.
  package func note(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { TextTable.printable(String($0)) }
    try? Descriptor.write(Array("\(lines.joined(separator: "\n"))\n".utf8), toNumber: error)
  }

  /// Whether results go to a terminal.
  package var isTerminal: Bool { CurrentProcess.isTerminal(output) }

  /// Writes results; that some are lost is told at the end, by the exit code, too.
  private func write(_ text: String) { print(bytes: Array(text.utf8)) }
}
