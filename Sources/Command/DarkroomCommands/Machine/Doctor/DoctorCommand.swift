// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import HostDiagnosis
internal import LaunchPlanning

/// `darkroom doctor`: reports which sandbox layers this machine and this user support, by starting a sandbox
/// for each policy.
package enum DoctorCommand: Command {
  /// The option for additional policies.
  private static let policy = OptionSpec.value(
    "policy",
    "NAME|FILE",
    .choiceOrFile(PolicyFinder.shippedNames),
    .repeated,
    help: "Examine this policy, too; the shipped policies are always examined"
  )

  package static let spec = CommandSpec(
    "doctor",
    summary: "Check which sandbox layers this machine supports",
    discussion: """
      For each policy, a system program is run in a sandbox. A layer is enforced, degraded or missing. For a \
      degraded or missing layer, the command prints the reason on this machine and the fix. It also reports each \
      missing library of an optional feature, such as microphones.
      """,
    options: [policy],
    examples: [
      ExampleSpec("darkroom doctor", "Examine this machine with the shipped policies"),
      ExampleSpec("darkroom doctor --policy camera.json --json", "Examine another policy, too"),
    ],
    exitCodes: [
      ExitCode.success("Every layer of every policy is enforced"), ExitCode.invalidPolicy,
      ExitCode.unknownPolicy,
      ExitCode.unavailable.when("Sessions run, but a layer of a policy is degraded or missing"),
      ExitCode.machine.when("No session runs under a policy, or the state root is unusable"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    var names = PolicyFinder.shippedNames
    for name in parsed.values(of: policy) where !names.contains(name) { names.append(name) }
    // An invalid document is rejected before any sandbox is started.
    let policies = try names.map { name throws(CommandFailure) in
      (name, try SessionCommands.policy(name).policy)
    }
    let root = try? CommonOptions.resolvedRoot(parsed, console)
    let report = HostDoctor.report(stateRoot: root, policies: policies)
    if parsed.has(CommonOptions.json) {
      console.print(DoctorOutput.json(report))
    } else {
      for line in DoctorOutput.lines(report) { console.print(line) }
    }
    switch report.status {
    case .full: return 0
    case .degraded: return ExitCode.unavailable.rawValue
    case .unavailable: return ExitCode.machine.rawValue
    }
  }
}
