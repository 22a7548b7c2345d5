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
  /// The categories of the probe's attempts.
  private static let classes = [
    "conventions", "network", "files", "processes", "kernel", "leaks", "resources", "state",
  ]
  /// The option for the policy to attack.
  private static let policy = OptionSpec.value(
    "policy",
    "NAME|FILE",
    .choiceOrFile(PolicyFinder.shippedNames),
    default: "capture",
    help: "The policy that is attacked"
  )
  /// The option for the categories of attempts.
  private static let category = OptionSpec.value(
    "class",
    "CLASS",
    .choice(classes),
    .repeated,
    help: "Make only the attempts of this class"
  )
  /// The option for single attempts.
  private static let only = OptionSpec.value("only", "NAME", .text, .repeated, help: "Make only this attempt")
  /// The flag that lists the attempts without making them.
  private static let list = OptionSpec.flag("list", help: "List the attempts and make none")
  /// The flag that also makes the harmless attempts outside the sandbox.
  private static let prove = OptionSpec.flag(
    "prove",
    help: "Make the harmless attempts outside the sandbox as well, to show that they succeed there"
  )
  /// The flag that treats an attempt that could not be made as a failure.
  private static let strict = OptionSpec.flag(
    "strict",
    help: "Fail also if an attempt could not be made here"
  )
  /// The option for the probe executable.
  private static let probes = OptionSpec.value(
    "probes",
    "FILE",
    .file,
    help: "The darkroom-probe to use; else the one beside this program, or in ../libexec/darkroom"
  )
  /// The option for the parent directory of the decoys.
  private static let decoy = OptionSpec.value(
    "bait",
    "DIR",
    .directory,
    help: "Lay out what is to be found in a new directory in DIR; else beside the state root"
  )

  package static let spec = CommandSpec(
    "attack",
    summary:
      "Try to get out of the sandbox of a policy in every known way, and say what stopped each attempt",
    discussion: """
      Each attempt is made by a small program in a sandbox of its own. For the time of the battery, the host holds what \
      a careless one would: a secret in another app's container, listeners, shared memory, open descriptors, a \
      terminal. All of it is gone at the end.

      What refused an attempt is known from the kernel's report of the refused call, from the signal, from the kernel's \
      error, or by making the attempt again with that layer answering differently.
      """,
    options: [policy, category, only, list, prove, strict, probes, decoy],
    examples: [
      ExampleSpec(
        "darkroom attack --policy strict --prove",
        "Attack a policy, and see that the attempts are real"
      ),
      ExampleSpec("darkroom attack --class network --class files", "Make the attempts of two classes"),
    ],
    exitCodes: [
      ExitCodeSpec("0", "Every attempt that could be made was blocked"),
      ExitCodeSpec("\(ExitCode.unavailable.rawValue)", "With --strict: an attempt could not be made here"),
      ExitCodeSpec("\(ExitCode.breach.rawValue)", "An attempt got through"),
      ExitCodeSpec("\(ExitCode.machine.rawValue)", "No sandbox could be made"),
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
    let results = try mappingAttackErrors { () throws(AttackError) in
      try AttackBattery(program, order).run(signals)
    }
    let summary = AttackSummary(policy: name, results: results)
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
    let selected = all.filter {
      (names.isEmpty || names.contains($0.name)) && (classes.isEmpty || classes.contains($0.category))
    }
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
    return decoyDirectory(root)
  }

  /// Returns the parent directory of a state root, or `/tmp` if this user cannot write there.
  static func decoyDirectory(_ root: StateRoot) -> String {
    let beside = FileSystem.directoryName(root.path)
    return (try? FileSystem.checkWritable(beside)) == nil ? "/tmp" : beside
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
