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
    help: "Make only this check"
  )
  private static let skip = OptionSpec.value(
    "skip",
    "NAME",
    .choice(ConformanceCheck.allCases.map(\.rawValue)),
    .repeated,
    help: "Leave out this check"
  )
  private static let list = OptionSpec.flag("list", help: "List the checks and make none")
  private static let grace = OptionSpec.value(
    "grace",
    "DURATION",
    .duration,
    default: "5s",
    help: "How long the extension may take to end after its dismissal"
  )
  private static let probes = OptionSpec.value(
    "probes",
    "FILE",
    .file,
    help: "The darkroom-probe to attack with; else the one beside this program, or in ../libexec/darkroom"
  )
  private static let subject = ArgumentSpec(
    PreparedExtension.argument.name,
    .optional,
    help: PreparedExtension.argument.help
  )

  package static let spec = CommandSpec(
    "test",
    summary:
      "Check whether an extension behaves as a capture extension should, and whether its policy keeps it in",
    discussion: """
      Each check is a session of its own in the extension's real sandbox, with everything around it made up: the person, \
      the permissions, the camera, the space that is left. Nothing of yours is touched. The last check attacks the \
      extension's own policy in every way that Darkroom knows of.

      A line for each check says whether it passes, why not, and how to mend it. What an extension of its kind cannot be \
      checked for is said, and is no failure.
      """,
    options: [only, skip, list, grace, probes],
    arguments: [subject],
    examples: [
      ExampleSpec("darkroom test bundle", "Check the extension of a bundle"),
      ExampleSpec(
        "darkroom test org.example.camera.capture --only dismissal",
        "Make one check of an installed one"
      ),
    ],
    exitCodes: [
      ExitCodeSpec("0", "Every check passes that applies"),
      ExitCodeSpec("\(ExitCode.checkFailed.rawValue)", "A check fails"),
      ExitCodeSpec("\(ExitCode.usage.rawValue)", "The command line is wrong"),
      ExitCodeSpec("\(ExitCode.data.rawValue)", "The bundle or its policy is wrong"),
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "There is no such extension or bundle"),
      ExitCodeSpec("\(ExitCode.unavailable.rawValue)", "No check fails, but one could not be made here"),
      ExitCodeSpec("\(ExitCode.machine.rawValue)", "The machine does not have what the sandbox needs"),
      ExitCodeSpec("\(ExitCode.store.rawValue)", "The state root could not be made"),
      ExitCodeSpec("\(ExitCode.temporaryFailure.rawValue)", "It was stopped by a signal"),
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
