// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SessionServices
internal import SessionSimulation
internal import SessionStore

/// `darkroom demo`: runs one complete session, from an empty state root to the pictures in the app's
/// container.
package enum DemoCommand: Command {
  private static let program = OptionSpec.value(
    "program",
    "FILE",
    .file,
    help: "Run this program as the Snapshot extension (default: the one next to darkroom)"
  )

  package static let spec = CommandSpec(
    "demo",
    summary: "Take three sample pictures in a sandboxed session",
    discussion: """
      The command installs a sample app, runs its extension, presses the shutter three times, and dismisses the \
      session. It prints the captured files, the enforced layers and the duration of each step.

      All files are below a new directory in $TMPDIR (default: /tmp), or below the directory of --root. The frames \
      come from a built-in image, or from --camera (see 'darkroom run --help').
      """,
    options: [CommonOptions.camera, program, CommonOptions.record],
    examples: [ExampleSpec("darkroom demo", "Test the installation of Darkroom")],
    exitCodes: ExitCode.session(
      [
        ExitCode.data.when("The sample app cannot be installed"),
        ExitCode.missing.when("The Snapshot program, or the source of --camera, cannot be found or opened"),
      ]
    )
  )

  /// The actions of the simulated user.
  private static let script = """
    wait 300ms
    press primary
    wait 300ms
    press primary
    wait 300ms
    press primary
    wait 300ms
    dismiss
    """

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let signals = try SessionCommands.hostSignals(console)
    try SessionCommands.checkRecord(parsed)
    let root = try stateRoot(parsed, console)
    let scratch = try freshDirectory()
    defer { try? FileSystem.removeTree(scratch) }

    let isPlain = !parsed.has(CommonOptions.json)
    func say(_ line: String) { if isPlain { console.print(line) } }
    let bundle = try bundle(parsed, scratch)
    do { _ = try root.catalog.install(bundle.path) } catch {
      throw CommandFailure(.data, "\(error)")
    }
    say("installed \(DemoBundle.appID) into \(root.path)")
    say("running \(DemoBundle.extensionID): three presses of the shutter, then a dismissal")

    let request = try request(parsed, root, scratch, console)
    let script: SessionScript
    do { script = try SessionScript(Self.script, name: "demo") } catch {
      throw CommandFailure(.data, "\(error)")
    }
    let report = try SessionCommands.run(request, ScriptedControl(script), root, signals, console)
    try SessionCommands.writeRecord(report, parsed)
    say("")
    SessionCommands.show(report, asJSON: !isPlain, console)
    if isPlain { explain(report, root, console) }
    if report.contentPath == nil, !report.outputTail.isEmpty { console.note(report.outputTail) }
    return SessionCommands.conclude(report, console, naming: DemoBundle.extensionID)
  }

  /// Returns the state root that was requested, or a new one.
  private static func stateRoot(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure)
    -> StateRoot
  {
    if parsed.has(CommonOptions.root) { return try CommonOptions.sessionRoot(parsed, console) }
    try CommonOptions.checkSystemCalls()
    let root = StateRoot(path: try freshDirectory())
    do { try root.prepare() } catch { throw CommandFailure(.store, "\(error)") }
    return root
  }

  /// Creates a directory with a random name. Other users can create names in the same parent directory.
  private static func freshDirectory() throws(CommandFailure) -> String {
    let place = CurrentProcess.environment("TMPDIR") ?? "/tmp"
    let path = "\(place)/darkroom-demo-\(Randomness.hexadecimal(bytes: 8))"
    do { try FileSystem.makeDirectory(path) } catch { throw CommandFailure(.store, "\(error)") }
    return path
  }

  private static func bundle(_ parsed: ParsedCommand, _ scratch: String) throws(CommandFailure)
    -> DemoBundle
  {
    do {
      let own = FileSystem.directoryName(try CurrentProcess.executablePath())
      let program = parsed.value(of: program) ?? "\(own)/Snapshot"
      guard try FileSystem.status(program) != nil else {
        throw CommandFailure(
          .missing,
          "\(program): \(Errno.noSuchFile); run 'swift build', or give the program with --program FILE"
        )
      }
      return try DemoBundle(below: scratch, program: program)
    } catch let error as CommandFailure { throw error } catch { throw CommandFailure(.store, "\(error)") }
  }

  private static func request(
    _ parsed: ParsedCommand,
    _ root: StateRoot,
    _ scratch: String,
    _ console: Console
  ) throws(CommandFailure) -> SessionRequest {
    do {
      var choices = ExtensionLaunch.Choices()
      choices.digests = .sha256
      choices.administration = AdministrationFiles(environment: console.environment)
      choices.camera = parsed.value(of: CommonOptions.camera)
      if choices.camera == nil {
        let scene = "\(scratch)/scene.jpg"
        try FileSystem.replaceContents(scene, with: PackageResources.scene_jpg, mode: 0o644)
        choices.camera = scene
      }
      let installed = try root.catalog.find(DemoBundle.extensionID)
      var request = try ExtensionLaunch.request(installed, root, choices)
      let resolution = PermissionResolution(installed, granted: [.camera])
      request.dependencies = HostEnvironment.session(
        ofProgramFor: request.extension.app,
        resolution,
        ApplicationOpener(request.extension.app, environment: console.environment),
        environment: console.environment
      )
      return request
    } catch { throw CommandFailure(.store, "\(error)") }
  }

  /// Prints the enforced layers, and the duration of each step.
  private static func explain(_ report: SessionReport, _ root: StateRoot, _ console: Console) {
    let record = report.record
    if let enforcement = record.enforcement {
      console.print("\nenforced  \(enforcement.status.rawValue)")
      for layer in enforcement.layers {
        let detail = layer.detail.map { "  \($0)" } ?? ""
        console.print("  \(padded(layer.name, 18)) \(layer.state.rawValue)\(detail)")
      }
      for denial in enforcement.denials {
        let mechanisms = denial.mechanisms.joined(separator: " and ")
        let checks = denial.checks.joined(separator: ", ")
        console.print("  \(padded(denial.access, 18)) denied by \(mechanisms): \(checks)")
      }
    }
    console.print("\nsteps")
    for step in record.steps
      + report.migrationSteps.map({ .init(name: "migration: \($0.name)", microseconds: $0.microseconds) })
    {
      console.print("  \(padded(step.name, 34)) \(milliseconds(step.microseconds)) ms")
    }
    console.print("\nerased    /container: memory of this session only, freed with its last process")
    for erasure in record.erased {
      let amount = "\(counted(erasure.files, "file")), \(counted(erasure.bytes, "byte"))"
      console.print("          \(erasure.what): \(amount)")
    }
    if let path = report.contentPath, let first = record.files.first {
      console.print("\nopen it   xdg-open \(path)/\(first.path)")
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func milliseconds(_ microseconds: Int64) -> String {
    let tenths = (microseconds + 50) / 100
    let text = "\(tenths / 10).\(tenths % 10)"
    return String(repeating: " ", count: max(0, 8 - text.count)) + text
  }
}
