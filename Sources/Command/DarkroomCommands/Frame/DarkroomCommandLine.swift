// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import LinuxPrimitives

/// The command line of `darkroom`: its subcommands, their lookup and their execution.
package enum DarkroomCommandLine {
  /// The version of Darkroom.
  package static let version = "0.1.0"

  /// The subcommands in the order in which help lists them.
  static var commands: CommandList {
    [
      "demo": DemoCommand.self,
      "install": InstallCommand.self,
      "uninstall": UninstallCommand.self,
      "list": ListCommand.self,
      "run": RunCommand.self,
      "exec": ExecCommand.self,
      "ps": PsCommand.self,
      "screenshot": ScreenshotCommand.self,
      "serve": ServeCommand.self,
      "content": ContentCommand.self,
      "quarantine": QuarantineCommand.self,
      "quota": QuotaCommand.self,
      "context": ContextCommand.self,
      "recover": RecoverCommand.self,
      "sweep": SweepCommand.self,
      "log": LogCommand.self,
      "permission": PermissionCommand.self,
      "control": ControlCommand.self,
      "camera": CameraCommand.self,
      "microphone": MicrophoneCommand.self,
      "readiness": ReadinessCommand.self,
      "app": AppCommand.self,
      "lock": LockCommand.self,
      "unlock": UnlockCommand.self,
      "passcode": PasscodeCommand.self,
      "photos": PhotosCommand.self,
      "assets": AssetsCommand.self,
      "init": InitCommand.self,
      "simulate": SimulateCommand.self,
      "test": TestCommand.self,
      "doctor": DoctorCommand.self,
      "attack": AttackCommand.self,
      "audit": AuditCommand.self,
      "policy": PolicyCommand.self,
      "explain": ExplainCommand.self,
      "schema": SchemaCommand.self,
      "completion": CompletionCommand.self,
      "manual": ManualCommand.self,
    ]
  }

  /// The spec of the root command.
  package static let spec = CommandSpec(
    "darkroom",
    summary: "Run capture extensions that nobody has to trust, and hand over what they captured exactly once",
    options: [CommonOptions.root, CommonOptions.json, ServedCommands.noServe],
    subcommands: Subcommands(commands),
    exitCodes: ExitCode.table
  )

  /// Runs as the main program of a process, and returns its exit code.
  ///
  /// `arguments` are the arguments of the process, with the name of the program first.
  package static func start(_ arguments: [String]) -> Int32 {
    // An error message is impossible: the standard descriptors may be missing.
    guard CurrentProcess.fillStandardDescriptors() else { return ExitCode.machine.rawValue }
    guard !arguments.isEmpty else {
      // Swift's standard library reads the arguments from /proc/self, and returns none if /proc is not
      // mounted.
      Console.standard.note(
        "darkroom: the arguments cannot be read, because /proc is not mounted; run 'mount -t proc proc /proc'"
      )
      return ExitCode.machine.rawValue
    }
    CurrentProcess.clearOwnerMaskBits()
    return main(Array(arguments.dropFirst()))
  }

  /// Runs the command that the arguments name, and returns the exit code. Errors are printed.
  package static func main(_ words: [String], _ console: Console = .standard) -> Int32 {
    SignalDescriptor.reportFailedWrites()
    do throws(UsageError) {
      return conclude(run(try spec.parse(words), words, console), console)
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

  private static func run(_ parsed: ParsedCommand, _ words: [String], _ console: Console) -> Int32 {
    switch parsed.purpose {
    case .help:
      console.print(HelpText.render(parsed.path, width: 80))
      return 0
    case .version:
      console.print("darkroom \(version)")
      return 0
    case .run: break
    }
    guard let command = commands.command(parsed.names.first) else {
      console.print(HelpText.render(parsed.path, width: 80))
      return ExitCode.usage.rawValue
    }
    do throws(CommandFailure) {
      if let code = try ServedCommands.forwardToServer(words, parsed, console) { return code }
      return try command.run(parsed, console)
    } catch {
      console.note("darkroom: \(error)")
      return error.code.rawValue
    }
  }
}
