// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import LaunchPlanning
internal import PolicyTrials

/// `darkroom doctor`: reports which sandbox layers this machine and this user support, by starting a sandbox
/// for each policy.
package enum DoctorCommand: Command {
  /// The option for additional policies.
  private static let policy = OptionSpec.value(
    "policy",
    "NAME|FILE",
    .choiceOrFile(PolicyFinder.shippedNames),
    .repeated,
    help: "Examine this policy, too; the shipped ones always are"
  )

  package static let spec = CommandSpec(
    "doctor",
    summary: "Say which layers of the sandbox this machine and this user can have",
    discussion: """
      For each policy, a program of the system is really run in a sandbox. A layer is enforced, degraded, or missing; \
      for the last two the reason is looked for on the machine, and named together with what exactly to do about it.
      """,
    options: [policy],
    examples: [
      ExampleSpec("darkroom doctor", "Examine this machine for the shipped policies"),
      ExampleSpec("darkroom doctor --policy camera.json --json", "Examine it for one of your own, too"),
    ],
    exitCodes: [
      ExitCodeSpec("0", "Every policy can be had whole"),
      ExitCodeSpec(
        "\(ExitCode.unavailable.rawValue)",
        "Sessions run, but a layer of a policy is degraded or missing"
      ),
      ExitCodeSpec("\(ExitCode.machine.rawValue)", "No session runs under a policy, or no state can be kept"),
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
    var report = HostDoctor.examine(stateRoot: root, policies: policies)
    report.machine.append(ServiceFinding.of(root))
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
