// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import HostService
internal import LinuxPrimitives

/// The command line of `darkroom`: its subcommands, their lookup and their execution.
package enum DarkroomCommandLine {
  /// The version of Darkroom.
  package static let version = DarkroomRelease.version

  /// The subcommands, in the order of the groups of the help.
  static var commands: CommandList {
    [
      "demo": DemoCommand.self,
      "run": RunCommand.self,
      "exec": ExecCommand.self,
      "batch": BatchCommand.self,
      "ps": PsCommand.self,
      "screenshot": ScreenshotCommand.self,
      "control": ControlCommand.self,
      "init": InitCommand.self,
      "install": InstallCommand.self,
      "list": ListCommand.self,
      "uninstall": UninstallCommand.self,
      "app": AppCommand.self,
      "context": ContextCommand.self,
      "assets": AssetsCommand.self,
      "permission": PermissionCommand.self,
      "readiness": ReadinessCommand.self,
      "simulate": SimulateCommand.self,
      "test": TestCommand.self,
      "content": ContentCommand.self,
      "logs": LogsCommand.self,
      "inspect": InspectCommand.self,
      "photos": PhotosCommand.self,
      "quarantine": QuarantineCommand.self,
      "quota": QuotaCommand.self,
      "prune": PruneCommand.self,
      "recover": RecoverCommand.self,
      "policy": PolicyCommand.self,
      "audit": AuditCommand.self,
      "explain": ExplainCommand.self,
      "attack": AttackCommand.self,
      "schema": SchemaCommand.self,
      "doctor": DoctorCommand.self,
      "serve": ServeCommand.self,
      "lock": LockCommand.self,
      "unlock": UnlockCommand.self,
      "passcode": PasscodeCommand.self,
      "camera": CameraCommand.self,
      "microphone": MicrophoneCommand.self,
      "completion": CompletionCommand.self,
      "man": ManCommand.self,
    ]
  }

  /// The topics of the help: the groups of the commands, and the exit codes.
  static var topics: [HelpTopic] {
    [
      HelpTopic(
        "running",
        "Run things",
        .commands(main: ["demo", "run", "exec"], others: ["batch", "ps", "screenshot", "control"])
      ),
      HelpTopic(
        "apps",
        "Apps and extensions",
        .commands(
          main: ["init", "install", "list"],
          others: ["uninstall", "app", "context", "assets", "permission", "readiness", "simulate", "test"]
        )
      ),
      HelpTopic(
        "captures",
        "Content",
        .commands(
          main: ["content", "logs"],
          others: ["inspect", "photos", "quarantine", "quota", "prune", "recover"]
        )
      ),
      HelpTopic(
        "policies",
        "Policies and audit",
        .commands(main: ["policy", "audit"], others: ["explain", "attack", "schema"])
      ),
      HelpTopic(
        "system",
        "System",
        .commands(
          main: ["doctor", "serve"],
          others: ["lock", "unlock", "passcode", "camera", "microphone", "completion", "man"]
        )
      ),
      HelpTopic("all", "All commands", .allCommands),
      HelpTopic("exit-codes", "Exit codes", .exitCodes(ExitCode.table)),
    ]
  }

  /// The former names of commands.
  static let formerNames = [
    FormerName("log", now: "logs"),
    FormerName("log show", now: "inspect"),
    FormerName("sweep", now: "prune"),
    FormerName("manual", now: "man"),
  ]

  /// The spec of the root command.
  package static let spec = CommandSpec(
    "darkroom",
    summary: "Run untrusted capture extensions in a sandbox, and migrate their captures once",
    options: [CommonOptions.root, CommonOptions.json, ServedCommands.noServe],
    subcommands: Subcommands(commands),
    commonExitCodes: ExitCode.common,
    topics: topics,
    formerNames: formerNames
  )

  /// A program with a command line.
  package struct Program: Sendable {
    /// The spec of the program.
    let spec: CommandSpec
    /// Runs a parsed command line, and returns the exit code. The words are the arguments as typed.
    let run: @Sendable (ParsedCommand, [String], Console) throws(CommandFailure) -> Int32
  }

  /// The program `darkroom`, which forwards some commands to a server.
  private static let darkroom = Program(spec: spec) { parsed, words, console throws(CommandFailure) in
    guard let command = commands.command(parsed.names.first) else {
      console.printText(HelpText.render(parsed.path))
      return ExitCode.usage.rawValue
    }
    if let code = try ServedCommands.forwardToServer(words, parsed, console) { return code }
    return try command.run(parsed, console)
  }

  /// Runs as the main program of a process, and returns its exit code. Without a program, it runs as `darkroom`.
  ///
  /// `arguments` are the arguments of the process, without the name of the program.
  package static func start(_ arguments: [String], as program: Program? = nil) -> Int32 {
    // An error message is impossible: the standard descriptors may be missing.
    guard CurrentProcess.fillStandardDescriptors() else { return ExitCode.machine.rawValue }
    guard (try? FileSystem.status("/proc/self")) != nil else {
      Console.standard.note(
        "darkroom: no command can run, because /proc is not mounted; run 'mount -t proc proc /proc'"
      )
      return ExitCode.machine.rawValue
    }
    CurrentProcess.clearOwnerMaskBits()
    return main(arguments, as: program)
  }

  /// Runs the command that the arguments name, and returns the exit code. Errors are printed.
  package static func main(
    _ words: [String],
    _ console: Console = .standard,
    as program: Program? = nil
  ) -> Int32 {
    SignalDescriptor.reportFailedWrites()
    let program = program ?? darkroom
    // A program with subcommands explains itself if none is named.
    guard !words.isEmpty || program.spec.subcommands.isEmpty else {
      console.printText(HelpText.render(CommandPath(program.spec)))
      return conclude(ExitCode.usage.rawValue, console)
    }
    do throws(UsageError) {
      return conclude(run(program, try program.spec.parse(words), words, console), console)
    } catch {
      // The message already begins with the command's name.
      console.note("\(error)")
      return ExitCode.usage.rawValue
    }
  }

  /// Replaces the exit code of a success whose results could not be written.
  private static func conclude(_ code: Int32, _ console: Console) -> Int32 {
    guard let sentence = console.failure.sentence else { return code }
    console.note("darkroom: \(sentence)")
    return code == 0 ? ExitCode.output.rawValue : code
  }

  private static func run(
    _ program: Program,
    _ parsed: ParsedCommand,
    _ words: [String],
    _ console: Console
  ) -> Int32 {
    if let formerName = parsed.formerName, !console.process.isServer {
      console.note("darkroom: \(formerName)")
    }
    switch parsed.purpose {
    case .help:
      console.printText(HelpText.render(parsed.path))
      return 0
    case .topic(let topic):
      console.printText(HelpText.render(topic, of: parsed.path))
      return 0
    case .version:
      console.print("\(parsed.path.root.name) \(version)")
      return 0
    case .run: break
    }
    do throws(CommandFailure) { return try program.run(parsed, words, console) } catch {
      console.note("darkroom: \(error)")
      return error.code.rawValue
    }
  }
}
