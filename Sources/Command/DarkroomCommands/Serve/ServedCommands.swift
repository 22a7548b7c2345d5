// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import HostService
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionStore
internal import UserAuthentication

/// The commands that a running server performs for its clients.
///
/// A command is forwarded with its complete process environment, so that its behavior is the same as in the
/// client's process.
enum ServedCommands {
  /// The flag that runs the command without a server.
  static let noServe = OptionSpec.flag(
    "no-serve",
    help: "Run in this process even if 'darkroom serve' runs (or set DARKROOM_SERVE=none)"
  )
  /// The environment variable that has the same effect if its value is `none`.
  static let variable = "DARKROOM_SERVE"

  /// The forwarded commands. `demo` and `policy learn` are excluded, because they use a state root of their
  /// own that has no server.
  static let names = [["run"], ["exec"], ["control", "press"], ["control", "listen"]]

  /// The forwarded commands that may prompt the user.
  private static let promptingCommands = [["run"], ["control", "press"], ["control", "listen"]]

  /// The prefixes of directories that have different contents in each process.
  private static let processLocalDirectories = ["/dev/fd", "/proc/self", "/proc/thread-self"]
  /// The prefixes of all paths and names that depend on the process.
  ///
  /// Of environment variables, only the directories are checked: a variable such as `GPG_TTY` is meant for
  /// another program.
  private static let processLocalPrefixes =
    processLocalDirectories + ["/dev/std", "/dev/tty", "pipewire:fd="]

  /// Forwards the command to the server of its state root. Returns the exit code, or `nil` if this process
  /// must run the command itself.
  static func forwardToServer(
    _ words: [String],
    _ parsed: ParsedCommand,
    _ console: Console
  ) throws(CommandFailure) -> Int32? {
    guard case .own = console.process, names.contains(parsed.names), !parsed.has(noServe),
      console.environment(variable) != "none", !namesProcessLocalResources(words, parsed),
      let root = try? CommonOptions.resolvedRoot(parsed, console)
    else { return nil }
    let place = ServicePaths(root: root.path)
    // In the common case there is no server, so this check comes first.
    guard (try? FileSystem.status(place.socket))??.kind == .socket, !promptsWithProgram(parsed, root) else {
      return nil
    }
    // The server also reads environment variables: one of them can name the state root.
    guard !processLocalDirectories.contains(where: CurrentProcess.hasVariable(with:)) else { return nil }
    // A background process that reads from its terminal would be stopped by SIGTTIN. It must be stopped here,
    // not in the server.
    guard !CurrentProcess.isTerminal(console.input) || !CurrentProcess.isInBackground(console.input),
      let directory = try? FileSystem.open(".", [.path, .directory])
    else { return nil }
    let terminal = openTerminal()
    let call = ServiceRequest.Call(
      words: words,
      environment: Dictionary(CurrentProcess.variables.map { ($0.name, $0.value) }) { first, _ in first },
      fileModeMask: CurrentProcess.fileMask,
      terminal: terminal == nil ? .none : .given
    )
    var descriptors = [directory.rawValue, console.input, console.output, console.error]
    if let terminal { descriptors.append(terminal.rawValue) }
    // The state is saved before the server starts, because the server may change the terminal at once.
    let state = TerminalState.of(console.input)
    switch ServiceClient.attempt(call, descriptors, version: DarkroomCommandLine.version, at: place) {
    case .absent: return nil
    case .refused(let refusal):
      if let sentence = message(refusal, root) { console.note("darkroom: \(sentence)") }
      return nil
    case .running(let client): return try waitForExit(client, state, console)
    }
  }

  /// Opens the terminal at which the user of this process can be prompted, or returns `nil` if there is none.
  private static func openTerminal() -> HeldDescriptor? {
    guard let terminal = try? FileSystem.open("/dev/tty", [.readWrite, .nonBlocking]) else { return nil }
    return HeldDescriptor(terminal)
  }

  /// Returns whether a command would prompt the user by a program.
  ///
  /// Such a program may need the user's terminal as its controlling terminal, which a server cannot provide.
  private static func promptsWithProgram(_ parsed: ParsedCommand, _ root: StateRoot) -> Bool {
    guard promptingCommands.contains(parsed.names),
      let chosen = try? AuthenticationConfiguration.read(AuthenticationPaths(root: root.path))
    else { return false }
    if case .command = chosen.authenticator { return true }
    return false
  }

  /// Returns whether a command names descriptors of its process, or shows a viewfinder in its terminal or in
  /// a window. A server has neither.
  private static func namesProcessLocalResources(_ words: [String], _ parsed: ParsedCommand) -> Bool {
    // The arguments of a program in the sandbox are interpreted there, not by this process.
    let own = words.dropLast(max(0, parsed.rest.count - 1))
    let isLocalDisplay = PreviewChoice.isLocalDisplay(parsed.value(of: RunCommand.preview))
    return parsed.has(UserPrompt.descriptor) || isLocalDisplay
      || own.contains { word in processLocalPrefixes.contains { word.containsBytes($0) } }
  }

  /// Waits until the command exits. Returns its exit code, or `nil` if the server did not start it and this
  /// process must run it.
  private static func waitForExit(
    _ client: consuming ServiceClient,
    _ terminal: TerminalState?,
    _ console: Console
  ) throws(CommandFailure) -> Int32? {
    let ending: ServiceClient.Ending
    do {
      let signals = try SignalDescriptor.make(ServiceClientMessage.signals + [.terminalStop, .terminalInput])
      ending = try client.wait(passing: signals)
    } catch { throw CommandFailure(.machine, "\(error)") }
    switch ending {
    case .ended(let code): return code
    case .notStarted: return nil
    case .lost(let server):
      // The server can no longer restore the terminal. A background process must not restore it, because
      // another process may be using it.
      if !CurrentProcess.isInBackground(console.input) { terminal?.restore() }
      throw CommandFailure(
        .machine,
        "the server (PID \(server)) terminated while it ran this command; captured content is preserved: "
          + "run 'darkroom recover' to migrate it"
      )
    }
  }

  /// Returns a message for the user about a server that refused the command, or `nil` if the user need not
  /// know.
  private static func message(_ refusal: ServiceRefusal, _ root: StateRoot) -> String? {
    switch refusal {
    case .version(let version):
      "running without the server of \(root.path): its version is \(version), not \(DarkroomCommandLine.version); "
        + "restart the server (systemctl --user restart darkroom)"
    case .user: "running without the server of \(root.path): the server belongs to another user"
    case .server(let fault):
      "running without the server of \(root.path): \(TextTable.printable(fault))"
    // `darkroom doctor` reports these reasons. The command itself behaves the same without a server.
    case .differentCredentials, .busy, .stopping, .unsupportedCommand, .malformed: nil
    }
  }
}

extension ServedCommands {
  /// Returns the name of the command that a client requests.
  static func commandName(_ call: ServiceRequest.Call) throws(ServiceRefusal) -> String {
    guard let parsed = try? DarkroomCommandLine.spec.parse(call.words), parsed.purpose == .run,
      names.contains(parsed.names)
    else { throw .unsupportedCommand }
    // The variable names the control group of the server's process, which cannot differ between clients.
    let variable = "DARKROOM_CGROUP"
    guard call.environment[variable] == CurrentProcess.environment(variable) else {
      throw .differentCredentials(variable)
    }
    return parsed.names.joined(separator: " ")
  }

  /// Runs a client's command on the calling thread.
  static func perform(_ command: ServedCommand, _ resources: HostResources) -> Int32 {
    let environment = command.call.environment
    let streams = command.streams
    var console = Console(output: streams[1], error: streams[2], input: streams[0]) { environment[$0] }
    console.terminal = .given(command.terminal)
    console.process = .server(command, resources)
    return DarkroomCommandLine.main(command.call.words, console)
  }
}

extension Console {
  /// The foreground check for the terminal of a server's client. It is `nil` if the terminal belongs to this
  /// process: the kernel's job control applies there.
  var turn: TerminalJobControl? {
    if case .server(let command, _) = process { command.turn } else { nil }
  }
}

extension String {
  /// Returns whether a text occurs in this one.
  ///
  /// The comparison is bytewise: the search of the standard library takes longer than all other checks of the
  /// arguments together.
  fileprivate func containsBytes(_ part: String) -> Bool {
    utf8.indices.contains { utf8[$0...].starts(with: part.utf8) }
  }
}
