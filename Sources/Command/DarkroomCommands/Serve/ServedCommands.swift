// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import HostService
internal import LinuxPrimitives
internal import PersonAuthentication
internal import PolicyWords
internal import SessionStore

/// The commands that a running server does better, and how they get there: with everything that they would find around
/// them in their own process, so that nobody could tell the difference by what they do.
enum ServedCommands {
  /// Does without a server.
  static let none = OptionSpec.flag(
    "no-serve",
    help: "Do it in this process, even where 'darkroom serve' runs; also DARKROOM_SERVE=none"
  )
  /// The variable that says the same by the value `none`.
  static let variable = "DARKROOM_SERVE"

  /// The commands. `demo` and `policy learn` have a state root of their own, for which nobody keeps anything.
  static let names = [["run"], ["exec"], ["control", "press"], ["control", "listen"]]

  /// Those that may have to ask the person.
  private static let asking = [["run"], ["control", "press"], ["control", "listen"]]

  /// The beginnings of places that are others in another process.
  private static let ownPlaces = ["/dev/fd", "/proc/self", "/proc/thread-self"]
  /// The beginnings of all paths and names for which the same is true. Of variables only places are looked at: one like
  /// `GPG_TTY` is for another program.
  private static let ownPaths = ownPlaces + ["/dev/std", "/dev/tty", "pipewire:fd="]

  /// Gives the command to the server of its state root, and gives its exit code; nil: the command is this process's own.
  static func attempt(
    _ words: [String],
    _ parsed: ParsedCommand,
    _ console: Console
  ) throws(CommandFailure) -> Int32? {
    guard case .own = console.process, names.contains(parsed.names), !parsed.has(none),
      console.environment(variable) != "none", !namesOwnThings(words, parsed),
      let root = try? CommonOptions.resolvedRoot(parsed, console)
    else { return nil }
    let place = ServicePlace(root: root.path)
    // Most often there is none: then nothing else is done for it.
    guard (try? FileSystem.status(place.socket))??.kind == .socket, !asksByProgram(parsed, root) else {
      return nil
    }
    // The server looks at variables, too: the root itself can be named by one.
    guard !ownPlaces.contains(where: CurrentProcess.hasVariable(with:)) else { return nil }
    // Whoever would be stopped for reading keys from behind is stopped here, too.
    guard !CurrentProcess.isTerminal(console.input) || !CurrentProcess.isBehind(console.input),
      let directory = try? FileSystem.open(".", [.path, .directory])
    else { return nil }
    let terminal = openTerminal()
    let call = ServiceRequest.Call(
      words: words,
      environment: Dictionary(CurrentProcess.variables.map { ($0.name, $0.value) }) { first, _ in first },
      mask: CurrentProcess.fileMask,
      terminal: terminal == nil ? .none : .given
    )
    var descriptors = [directory.rawValue, console.input, console.output, console.error]
    if let terminal { descriptors.append(terminal.rawValue) }
    // Taken before the server has begun, for it may change it at once.
    let state = TerminalState.of(console.input)
    switch ServiceClient.attempt(call, descriptors, version: DarkroomCommandLine.version, at: place) {
    case .absent: return nil
    case .refused(let refusal):
      if let sentence = sentence(refusal, root) { console.note("darkroom: \(sentence)") }
      return nil
    case .running(let client): return try follow(client, state, console)
    }
  }

  /// The terminal at which the person of this process can be asked; nil: it has none.
  private static func openTerminal() -> HeldDescriptor? {
    guard let terminal = try? FileSystem.open("/dev/tty", [.readWrite, .nonBlocking]) else { return nil }
    return HeldDescriptor(terminal)
  }

  /// Whether a command would ask the person by a program, which may want the person's terminal as its own. A server has
  /// none that it could pass on.
  private static func asksByProgram(_ parsed: ParsedCommand, _ root: StateRoot) -> Bool {
    guard asking.contains(parsed.names),
      let chosen = try? AuthenticationConfiguration.read(AuthenticationPlaces(root: root.path))
    else { return false }
    if case .command = chosen.authenticator { return true }
    return false
  }

  /// Whether a command names descriptors of its process, or what it is shown in its terminal or in a window: a server has
  /// neither.
  private static func namesOwnThings(_ words: [String], _ parsed: ParsedCommand) -> Bool {
    // What a program in the sandbox is given means something there, and nothing here.
    let own = words.dropLast(max(0, parsed.rest.count - 1))
    let isShownHere = PreviewChoice.isShownHere(parsed.value(of: RunCommand.preview))
    return parsed.has(PersonPrompt.descriptor) || isShownHere
      || own.contains { word in ownPaths.contains { word.hasWithin($0) } }
  }

  /// Stands for the command until it has ended; nil: it never began, and is this process's own.
  private static func follow(
    _ client: consuming ServiceClient,
    _ terminal: TerminalState?,
    _ console: Console
  ) throws(CommandFailure) -> Int32? {
    let ending: ServiceClient.Ending
    do {
      let signals = try SignalDescriptor.make(ServiceNote.signals + [.terminalStop, .terminalInput])
      ending = try client.wait(passing: signals)
    } catch { throw CommandFailure(.machine, "\(error)") }
    switch ending {
    case .ended(let code): return code
    case .notBegun: return nil
    case .lost(let server):
      // Whoever has changed it can no longer put it back, and somebody else may have it as they need it.
      if !CurrentProcess.isBehind(console.input) { terminal?.restore() }
      throw CommandFailure(
        .machine,
        "the server that ran this command, process \(server), has died with it; what was captured is safe, and "
          + "'darkroom recover' hands it over"
      )
    }
  }

  /// What a person has to know of a server that leaves a command to them; nil: nothing.
  private static func sentence(_ refusal: ServiceRefusal, _ root: StateRoot) -> String? {
    switch refusal {
    case .version(let version):
      "the server of \(root.path) is Darkroom \(version), and this is \(DarkroomCommandLine.version): doing without; "
        + "start the server again (systemctl --user restart darkroom)"
    case .user: "the server of \(root.path) is another user's: doing without"
    case .server(let fault):
      "the server of \(root.path) does not do it (\(TextTable.printable(fault))): doing without"
    // What the doctor says, when somebody wants to know; the command does the same.
    case .unlike, .busy, .stopping, .notServed, .malformed: nil
    }
  }
}

extension ServedCommands {
  /// The name of the command that a client wants run.
  static func name(_ call: ServiceRequest.Call) throws(ServiceRefusal) -> String {
    guard let parsed = try? DarkroomCommandLine.spec.parse(call.words), parsed.purpose == .run,
      names.contains(parsed.names)
    else { throw .notServed }
    // It names what the server is in, or is to be in: that can't be different for each client.
    let variable = "DARKROOM_CGROUP"
    guard call.environment[variable] == CurrentProcess.environment(variable) else { throw .unlike(variable) }
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
  /// Whose turn it is at the terminal; nil: the kernel sees to it, for the terminal is this process's own.
  var turn: TerminalTurn? {
    if case .server(let command, _) = process { command.turn } else { nil }
  }
}

extension String {
  /// Whether a text stands anywhere in this one, byte by byte: the library's search costs a process that makes one
  /// more than everything else that is asked of the words.
  fileprivate func hasWithin(_ part: String) -> Bool {
    utf8.indices.contains { utf8[$0...].starts(with: part.utf8) }
  }
}
