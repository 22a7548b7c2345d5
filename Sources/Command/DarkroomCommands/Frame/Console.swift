// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import HostService
package import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation
package import UserAuthentication

/// The streams and environment of a command. Tests replace them.
package struct Console: Sendable {
  /// The descriptor for results.
  package var output: Int32
  /// The descriptor for all other messages.
  package var error: Int32
  /// The descriptor for keyboard input.
  package var input: Int32
  /// Returns the value of an environment variable.
  package var environment: @Sendable (String) -> String?
  /// The terminal at which the user is prompted.
  package var terminal = TerminalPrompt.Terminal.path("/dev/tty")
  /// The process in which the command runs.
  package var process = HostProcess.other
  /// The first error while results were written.
  let failure = OutputFailure()

  /// The standard streams and the environment of this process.
  package static let standard: Console = {
    var console = Console(output: 1, error: 2, input: 0, environment: { CurrentProcess.environment($0) })
    console.process = .own
    return console
  }()

  /// The process in which a command runs.
  package enum HostProcess: Sendable {
    /// A process of its own, started by a user or a program.
    case own
    /// A server, on behalf of one of its clients.
    case server(ServedCommand, HostResources)
    /// Another process, which uses the commands as a library.
    case other

    /// Whether the command runs in a server. The process of the client has already printed notes about the
    /// command line.
    var isServer: Bool {
      if case .server = self { true } else { false }
    }
  }

  /// Creates a console.
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

  /// Writes results as indented JSON.
  package func print(_ value: JSONValue) { write(value.text(.indented)) }

  /// Writes binary results.
  func print(bytes: [UInt8]) {
    do { try Descriptor.write(bytes, toNumber: output) } catch { failure.note(error) }
  }

  /// Writes a JSON value on one line, for programs that read a sequence of values.
  package func printLine(_ value: JSONValue) { write(value.text(.compact) + "\n") }

  /// Writes one or several lines to standard error.
  ///
  /// Control characters are escaped, because the text can contain names that a file, app or camera has
  /// chosen. Errors of standard error are ignored: there is no other stream to report them.
  package func note(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { TextTable.printable(String($0)) }
    try? Descriptor.write(Array("\(lines.joined(separator: "\n"))\n".utf8), toNumber: error)
  }

  /// Whether results are written to a terminal.
  package var isTerminal: Bool { CurrentProcess.isTerminal(output) }

  /// Writes results. A failure is recorded, and reported at the end by a message and the exit code.
  private func write(_ text: String) { print(bytes: Array(text.utf8)) }
}

extension Console {
  /// Writes a text of several lines, and adds a final newline if the text has none.
  func printText(_ text: String) { print(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
}

extension Console {
  /// Writes a table.
  func print(_ table: TextTable) {
    for line in table.lines { print(line) }
  }
}
