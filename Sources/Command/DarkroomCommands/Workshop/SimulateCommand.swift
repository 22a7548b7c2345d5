// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionSimulation
internal import SessionStore

/// `darkroom simulate`: runs a session in a real sandbox with a simulated environment, and checks the
/// expectations of a script.
package enum SimulateCommand: Command {
  private static let script = OptionSpec.value(
    "script",
    "FILE",
    .file,
    .required,
    help: "Run the steps in FILE: press primary, revoke camera, expect files 3"
  )
  private static let camera = OptionSpec.value(
    "camera",
    "SOURCE",
    default: "pattern:320x240@30",
    help: "Take frames from an image, a YUV4MPEG2 video, pattern, or pattern:640x480@30"
  )
  private static let grace = OptionSpec.value(
    "grace",
    "DURATION",
    .duration,
    default: "5s",
    help: "Wait DURATION for the exit of the extension after its dismissal"
  )
  private static let watchdog = OptionSpec.value(
    "watchdog",
    "DURATION",
    .duration,
    help: "Require camera, viewfinder and capture events within DURATION (0s: no limit)"
  )
  private static let verbose = OptionSpec.flag(
    "verbose",
    short: "v",
    help: "Print the output of the extension"
  )

  package static let spec = CommandSpec(
    "simulate",
    summary: "Test an extension with a script of events",
    discussion: """
      The user, lock, permissions, camera, free space and app context are simulated as the script says. The \
      extension runs in its real sandbox, but in a temporary state root, which is removed at the end. The test \
      needs no camera, screen or foreground session, and has the same result on every machine.

      The whole script is read before anything starts. Each line with await or expect is reported in the Test \
      Anything Protocol (TAP), with the observed value if the expectation is not met. If the script does not \
      expect an outcome, the session must end with exit code 0. The article "Scripts" describes the grammar.
      """,
    options: [script, camera, grace, watchdog, verbose, PreparedExtension.keep],
    arguments: [PreparedExtension.argument],
    examples: [
      ExampleSpec("darkroom simulate bundle --script shots.txt", "Test the extension of a bundle"),
      ExampleSpec(
        "darkroom simulate org.example.camera.capture --script unplug.txt --json",
        "Test an installed extension, and print JSON"
      ),
    ],
    exitCodes: [
      ExitCode.success("Every expectation is met"),
      ExitCode.checkFailed.when("An expectation is not met, or was not reached"),
      ExitCode.data.when("The script, bundle or policy is invalid"),
      ExitCode.missing.when("The extension, bundle, script or camera file does not exist"),
      ExitCode.machine.when("The kernel lacks a required feature, or the host failed"),
      ExitCode.store.when("The state root cannot be created or written, or the directory of --keep exists"),
      ExitCode.temporaryFailure.when("A signal stopped the command"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = try SessionCommands.hostSignals(console)
    let path = parsed.value(of: script) ?? ""
    let script = try ScriptFile.read(path)
    let source = try repeatableCamera(parsed)
    let subject = try PreparedExtension(parsed.value(of: PreparedExtension.argument) ?? "", parsed, console)
    var order = Simulation.Configuration(script, camera: source)
    if let time = parsed.duration(of: grace)?.seconds { order.grace = time }
    if let time = parsed.duration(of: watchdog)?.seconds { order.watchdog = time > 0 ? .seconds(time) : .off }
    if parsed.has(verbose) { order.echo = console.error }
    let result: Simulation.Result
    do throws(SimulationError) {
      var simulation = Simulation(subject.installed, subject.state.root, signals)
      simulation.notice = { console.note("darkroom: \($0)") }
      result = try simulation.run(order)
    } catch { throw CommandFailure(error, script: path) }
    let output = SimulateOutput(path: path, extensionID: subject.installed.manifest.id, result: result)
    let isKept = parsed.has(PreparedExtension.keep)
    if parsed.has(CommonOptions.json) {
      console.print(output.json(isKept: isKept))
    } else {
      for line in output.lines(isKept: isKept) { console.print(line) }
    }
    if result.report.record.outcome.isHostStopped {
      throw CommandFailure(.temporaryFailure, "stopped by a signal before the script had ended")
    }
    return result.holds ? 0 : ExitCode.checkFailed.rawValue
  }

  /// Returns the source of frames, which must be the same on every machine.
  private static func repeatableCamera(_ parsed: ParsedCommand) throws(CommandFailure) -> String {
    let source = parsed.value(of: camera) ?? "pattern"
    guard Simulation.isRepeatable(source) else {
      throw CommandFailure(
        .usage,
        "--camera: the frames of \(TextTable.printable(source)) differ each time; give an image, a video file or a "
          + "pattern, or use 'darkroom run' for a real camera"
      )
    }
    return source
  }
}

extension CommandFailure {
  /// Creates the failure for a simulation that could not be run.
  init(_ error: SimulationError, script: String) {
    switch error {
    case .given(let line, let fault):
      self.init(
        .data,
        TextTable.printable("\(script):\(line): the given conditions cannot be created: \(fault)")
      )
    case .launch(let error): self.init(error)
    case .session(.camera): self.init(.missing, "\(error)")
    case .session(.store), .session(.insufficientSpace): self.init(.store, "\(error)")
    case .session, .script: self.init(.machine, "\(error)")
    case .stopped: self.init(.temporaryFailure, "\(error)")
    }
  }
}
