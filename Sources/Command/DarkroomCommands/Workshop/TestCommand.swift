// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import SessionSimulation

/// `darkroom test`: checks whether an extension conforms to the requirements of a capture extension, under
/// its own policy.
package enum TestCommand: Command {
  private static let only = OptionSpec.value(
    "only",
    "NAME",
    .choice(ConformanceCheck.allCases.map(\.rawValue)),
    .repeated,
    help: "Run only this check"
  )
  private static let skip = OptionSpec.value(
    "skip",
    "NAME",
    .choice(ConformanceCheck.allCases.map(\.rawValue)),
    .repeated,
    help: "Skip this check"
  )
  private static let list = OptionSpec.flag("list", help: "List the checks without running them")
  private static let grace = OptionSpec.value(
    "grace",
    "DURATION",
    .duration,
    default: "5s",
    help: "Wait DURATION for the exit of the extension after its dismissal"
  )
  private static let probes = OptionSpec.value(
    "probes",
    "FILE",
    .file,
    help: "Attack with this darkroom-probe (default: next to darkroom, or in ../libexec/darkroom)"
  )
  private static let subject = ArgumentSpec(
    PreparedExtension.argument.name,
    .optional,
    help: PreparedExtension.argument.help
  )

  package static let spec = CommandSpec(
    "test",
    summary: "Check the behavior of an extension and its policy",
    discussion: """
      Each check is a session in the extension's real sandbox. User, permissions, camera and free space are \
      simulated, and your state root is not changed. The last check attacks the policy of the extension in every \
      way that Darkroom knows.

      Each check is reported on a line: passed, or the failure and its fix. A check that does not apply to this \
      kind of extension is reported, and is not a failure.
      """,
    options: [only, skip, list, grace, probes],
    arguments: [subject],
    examples: [
      ExampleSpec("darkroom test bundle", "Check the extension of a bundle"),
      ExampleSpec(
        "darkroom test org.example.camera.capture --only dismissal",
        "Run one check of an installed extension"
      ),
    ],
    exitCodes: [
      ExitCode.success("Every applicable check passed"), ExitCode.checkFailed.when("A check failed"),
      ExitCode.usage.when("The command line is invalid, or a bundle has several extensions"),
      ExitCode.data.when("The bundle or its policy is invalid"),
      ExitCode.missing.when("The extension or bundle does not exist"),
      ExitCode.unavailable.when("No check failed, but a check cannot be run on this machine"),
      ExitCode.machine.when("The kernel lacks a required feature, or the host failed"),
      ExitCode.store.when("The state root cannot be created or written"),
      ExitCode.temporaryFailure.when("A signal stopped the command"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = try SessionCommands.hostSignals(console)
    let (names, skipped) = (parsed.values(of: only), parsed.values(of: skip))
    let checks = ConformanceCheck.allCases.filter {
      (names.isEmpty || names.contains($0.rawValue)) && !skipped.contains($0.rawValue)
    }
    // Without this check, an empty list of checks would be reported as a success.
    guard !checks.isEmpty else {
      throw CommandFailure(.usage, "--only and --skip select no check; see 'darkroom test --list'")
    }
    let asJSON = parsed.has(CommonOptions.json)
    if parsed.has(list) {
      if asJSON { console.print(TestOutput.json(checks)) } else { console.print(TestOutput.table(checks)) }
      return 0
    }
    guard let word = parsed.value(of: Self.subject) else {
      throw CommandFailure(
        .usage,
        "no extension was given; give an extension ID or the directory of a bundle"
      )
    }
    let subject = try PreparedExtension(word, parsed, console)
    var harness = ConformanceHarness(subject.installed, subject.state.root, signals)
    if let time = parsed.duration(of: grace)?.seconds { harness.grace = time }
    harness.probePath = parsed.value(of: probes)
    // A note is printed once, even if several sessions repeat it.
    var printedNotes: Set<String> = []
    harness.notice = { if printedNotes.insert($0).inserted { console.note("darkroom: \($0)") } }
    var output = TestOutput(extensionID: subject.installed.manifest.id)
    for check in checks {
      let verdict: ConformanceVerdict
      do throws(SimulationError) { verdict = try harness.verdict(check) } catch {
        throw CommandFailure(error, script: "check \(check.rawValue)")
      }
      output.verdicts.append((check, verdict))
      // Each result is printed at once, because all checks together take some seconds.
      if !asJSON { for line in TestOutput.lines(check, verdict) { console.print(line) } }
    }
    if asJSON { console.print(output.json) } else { console.print(output.summaryLine) }
    if output.count("fail") > 0 { return ExitCode.checkFailed.rawValue }
    return output.count("untried") > 0 ? ExitCode.unavailable.rawValue : 0
  }
}
