// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CameraDevices
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
    help: "Do what FILE says, and check what it expects: press primary, revoke camera, expect files 3"
  )
  private static let camera = OptionSpec.value(
    "camera",
    "SOURCE",
    default: "pattern:320x240@30",
    help: "Frames: a JPEG or PNG picture, a YUV4MPEG2 file, pattern, or pattern:640x480@30"
  )
  private static let grace = OptionSpec.value(
    "grace",
    "DURATION",
    .duration,
    default: "5s",
    help: "How long the extension may take to end after its dismissal"
  )
  private static let watchdog = OptionSpec.value(
    "watchdog",
    "DURATION",
    .duration,
    help: "How long it may take to have the camera, a viewfinder and capture events; 0s: as long as it likes"
  )
  private static let verbose = OptionSpec.flag(
    "verbose",
    short: "v",
    help: "Show what the extension writes"
  )

  package static let spec = CommandSpec(
    "simulate",
    summary: "Play a script around an extension in its real sandbox, and check what it expects",
    discussion: """
      Person, lock, permissions, camera, free space and app context are as the script says, and nothing of yours is \
      touched: the extension is installed in a state root of its own, which is removed at the end. So an extension is \
      tested without a camera, a screen or a seat, and the same on every machine.

      The whole script is read before anything starts. Each line with await or expect is reported in the form of the Test \
      Anything Protocol, with what was seen where it does not hold. Where the script says nothing of the outcome, the \
      session has to end well. The article "Scripts" has the grammar.
      """,
    options: [script, camera, grace, watchdog, verbose, PreparedExtension.keep],
    arguments: [PreparedExtension.argument],
    examples: [
      ExampleSpec("darkroom simulate bundle --script shots.txt", "Test the extension of a bundle"),
      ExampleSpec(
        "darkroom simulate org.example.camera.capture --script unplug.txt --json",
        "Test an installed one, for a program"
      ),
    ],
    exitCodes: [
      ExitCodeSpec("0", "Everything was as the script expects"),
      ExitCodeSpec("\(ExitCode.checkFailed.rawValue)", "Something was not, or was not reached"),
      ExitCodeSpec("\(ExitCode.usage.rawValue)", "The command line is wrong"),
      ExitCodeSpec("\(ExitCode.data.rawValue)", "The script, the bundle or its policy is wrong"),
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "There is no such extension, bundle, script or camera"),
      ExitCodeSpec("\(ExitCode.machine.rawValue)", "The machine does not have what the sandbox needs"),
      ExitCodeSpec("\(ExitCode.store.rawValue)", "The state root could not be made"),
      ExitCodeSpec("\(ExitCode.temporaryFailure.rawValue)", "It was stopped by a signal"),
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
    if case .dismissed(let dismissal) = result.report.record.outcome, dismissal.by == .hostStopped {
      throw CommandFailure(.temporaryFailure, "stopped by a signal before the script had ended")
    }
    return result.holds ? 0 : ExitCode.checkFailed.rawValue
  }

  /// Returns the source of frames, which must be the same on every machine.
  private static func repeatableCamera(_ parsed: ParsedCommand) throws(CommandFailure) -> String {
    let source = parsed.value(of: camera) ?? "pattern"
    guard source != "-", !CameraSpecification.isCameraName(source) else {
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
