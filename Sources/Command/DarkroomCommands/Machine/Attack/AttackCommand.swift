// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyTrials
internal import SandboxPolicy
internal import SessionStore

/// `darkroom attack`: attempts to escape from a sandbox by every known method.
package enum AttackCommand: Command {
  /// The option for the policy to attack.
  private static let policy = OptionSpec.value(
    "policy",
    "NAME|FILE",
    .choiceOrFile(PolicyFinder.shippedNames),
    default: "capture",
    help: "Attack the sandbox of this policy"
  )
  /// The option for the categories of attempts.
  private static let category = OptionSpec.value(
    "class",
    "CLASS",
    .choice(Attempt.categories),
    .repeated,
    help: "Make only the attempts of this class"
  )
  /// The option for single attempts.
  private static let only = OptionSpec.value("only", "NAME", .text, .repeated, help: "Make only this attempt")
  /// The flag that lists the attempts without making them.
  private static let list = OptionSpec.flag("list", help: "List the attempts without making them")
  /// The flag that also makes the harmless attempts outside the sandbox.
  private static let prove = OptionSpec.flag(
    "prove",
    help: "Make the harmless attempts outside of the sandbox, too, to show that they succeed there"
  )
  /// The flag that treats an attempt that could not be made as a failure.
  private static let strict = OptionSpec.flag(
    "strict",
    help: "Fail if an attempt cannot be made on this machine"
  )
  /// The option for the probe executable.
  private static let probes = OptionSpec.value(
    "probes",
    "FILE",
    .file,
    help: "Attack with this darkroom-probe (default: next to darkroom, or in ../libexec/darkroom)"
  )
  /// The option for the parent directory of the decoys.
  private static let decoy = OptionSpec.value(
    "bait",
    "DIR",
    .directory,
    help: "Create the decoys in a new directory in DIR (default: next to the state root)"
  )

  package static let spec = CommandSpec(
    "attack",
    summary: "Make every known attack on the sandbox of a policy",
    discussion: """
      Each attempt runs in a sandbox of its own. During the attempts, the host has the weaknesses of a careless \
      host: a secret in the container of another app, listeners, shared memory, open descriptors and a terminal. \
      All of them are removed at the end.

      For each blocked attempt, the command prints the layer that blocked it. The layer is determined from the \
      kernel's report of the refused call, from the signal, from the error code, or by a second attempt with a \
      different answer of that layer.
      """,
    options: [policy, category, only, list, prove, strict, probes, decoy],
    examples: [
      ExampleSpec(
        "darkroom attack --policy strict --prove",
        "Attack a policy, and show that the attempts are real"
      ), ExampleSpec("darkroom attack --class network --class files", "Make the attempts of two classes"),
    ],
    exitCodes: [
      ExitCode.success("Every attempt that could be made was blocked"),
      ExitCode.usage.when("The command line is invalid, or selects no attempt"), ExitCode.invalidPolicy,
      ExitCode.missing.when("The policy or darkroom-probe does not exist"),
      ExitCode.unavailable.when("With --strict: an attempt could not be made"),
      ExitCode.breach.when("An attempt got through the sandbox"),
      ExitCode.machine.when("A sandbox could not be created"),
      ExitCode.store.when("The decoys could not be created"),
      ExitCode.temporaryFailure.when("A signal stopped the command"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = try SessionCommands.hostSignals(console)
    let program = try mappingAttackErrors { () throws(AttackError) in
      try ProbeProgram.find(parsed.value(of: probes))
    }
    let attempts = try selected(
      parsed,
      try mappingAttackErrors { () throws(AttackError) in try program.attempts() }
    )
    let asJSON = parsed.has(CommonOptions.json)
    if parsed.has(list) {
      if asJSON {
        console.print(AttackOutput.json(attempts))
      } else {
        console.print(AttackOutput.table(attempts))
      }
      return 0
    }
    let name = parsed.value(of: policy) ?? "capture"
    let order = AttackBattery.Configuration(
      policy: try SessionCommands.policy(name).policy,
      attempts: attempts,
      place: decoyDirectory(parsed, console),
      proof: parsed.has(prove) ? .harmless : .none
    )
    let summary = try mappingAttackErrors { () throws(AttackError) in
      let battery = try AttackBattery(program, order)
      return AttackSummary(policy: name, results: try battery.run(signals), restriction: battery.restriction)
    }
    if asJSON {
      console.print(AttackOutput.json(summary))
    } else {
      console.print(AttackOutput.table(summary))
      for line in AttackOutput.summaryLines(summary) { console.print(line) }
    }
    if summary.count(.gotThrough) > 0 { return ExitCode.breach.rawValue }
    return parsed.has(strict) && summary.count(.untried) > 0 ? ExitCode.unavailable.rawValue : 0
  }

  /// Returns the selected attempts.
  private static func selected(_ parsed: ParsedCommand, _ all: [Attempt]) throws(CommandFailure) -> [Attempt]
  {
    let names = parsed.values(of: only)
    let known = all.map(\.name)
    if let unknown = names.first(where: { !known.contains($0) }) {
      let question = NearestNames.suggestionSuffix(for: unknown, among: known)
      let fix = question.isEmpty ? "; 'darkroom attack --list' lists the attempts" : question
      throw CommandFailure(.usage, "unknown attempt '\(unknown)'\(fix)")
    }
    let classes = parsed.values(of: category)
    let selected = all.filter { $0.isSelected(names: names, categories: classes) }
    // Without this check, an empty battery would be reported as fully blocked.
    guard !selected.isEmpty else {
      throw CommandFailure(
        .usage,
        "no attempt of --only belongs to a class of --class; 'darkroom attack --list' lists the attempts and classes"
      )
    }
    return selected
  }

  /// Returns the parent directory of the decoys. The default is next to the state root, where an attacker
  /// would look for the real files.
  private static func decoyDirectory(_ parsed: ParsedCommand, _ console: Console) -> String {
    if let directory = parsed.value(of: decoy) {
      return (try? FileSystem.realPath(directory)) ?? directory
    }
    guard let root = try? CommonOptions.resolvedRoot(parsed, console) else { return "/tmp" }
    return AttackConfiguration.decoyDirectory(root)
  }

  /// Runs an operation of the battery, and converts its errors to command failures.
  private static func mappingAttackErrors<Result>(
    _ body: () throws(AttackError) -> Result
  ) throws(CommandFailure) -> Result {
    do { return try body() } catch { throw CommandFailure(error) }
  }
}

extension CommandFailure {
  /// Creates a failure with the exit code for an error of the attack battery.
  init(_ error: AttackError) {
    let code: ExitCode =
      switch error {
      case .noProbe, .noList, .unusable: .missing
      case .decoys: .store
      case .plan, .launch, .system: .machine
      case .interrupted: .temporaryFailure
      }
    self.init(code, "\(error)")
  }
}
