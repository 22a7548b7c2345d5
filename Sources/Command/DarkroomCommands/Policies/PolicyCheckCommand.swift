// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import LaunchPlanning
internal import PolicyLint
internal import SandboxAudit

/// `darkroom policy check`: finds excessive permissions and misleading entries in policies.
package enum PolicyCheckCommand: Command {
  /// The argument for the policies.
  private static let policies = ArgumentSpec(
    "FILTER",
    .many(atLeast: 0),
    FilterArgument.value,
    help: FilterArgument.help
  )
  /// The flag that lists the rules.
  private static let rules = OptionSpec.flag("rules", help: "List the rules of the check without checking")
  /// The option for the output format.
  private static let format = OptionSpec.value(
    "format",
    "FORMAT",
    .choice(CheckFormat.allCases.map(\.rawValue)),
    help: "Print the findings in this format: text is the default, sarif is for code hosts"
  )
  /// The option for the severity at which the command fails.
  private static let failOn = OptionSpec.value(
    "fail-on",
    "SEVERITY",
    .choice(FindingSeverity.allCases.reversed().map(\.rawValue)),
    default: FindingSeverity.error.rawValue,
    help: "Fail at an unjustified finding of this severity or a worse one"
  )
  /// The flag that includes facts about this machine.
  private static let machine = OptionSpec.flag(
    "machine",
    help: "Inspect this machine, too: libseccomp, the kernel, and the files that are visible"
  )
  /// The option for the maximum number of files that are inspected below each path.
  private static let entries = OptionSpec.value(
    "machine-entries",
    "N",
    .integer(1...100_000_000),
    default: "\(FileSurvey.standardEntries)",
    help: "Inspect at most N files below each path (with --machine)"
  )

  package static let spec = CommandSpec(
    "check",
    summary: "Find risky and misleading entries in policies",
    discussion: """
      Each finding has a position in the document, a reason and a fix. To justify a finding, add an entry to \
      "justifications" in the policy: the rule, the subject of the finding, and your reason.

      For filters of other programs, processes and stacks, only the calls are checked: calls that no policy can \
      allow, unassigned numbers, and calls of other architectures.

      Without --machine, the result is the same on every machine, except for seccomp profiles, which libseccomp \
      compiles.
      """,
    options: [rules, format, failOn, machine, entries] + SupervisionOptions.all,
    arguments: [policies],
    examples: [
      ExampleSpec("darkroom policy check camera.json --fail-on warning", "Check a policy"),
      ExampleSpec("darkroom policy check --rules", "List the rules"),
    ],
    exitCodes: [
      ExitCode.success("No unjustified finding reaches the severity of --fail-on"),
      ExitCode.data.when("A finding reaches the severity of --fail-on, or a filter is invalid"),
      ExitCode.unknownFilter, ExitCode.unreadableFilter,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let format = try format(parsed)
    if parsed.has(rules) {
      CheckOutput(console: console, format: format).printRules()
      return 0
    }
    let names = parsed.values(of: policies)
    guard !names.isEmpty else {
      throw CommandFailure(
        .usage,
        "no policy was given; give a policy to check, or list the rules with --rules"
      )
    }
    let supervision = SupervisionOptions.supervision(parsed)
    let checks = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
      try names.map { name throws(FilterSourceError) in try FilterCheck(name, under: supervision) }
    }
    let survey = FileSurvey(
      entries: parsed.value(of: entries).flatMap { Int($0) } ?? FileSurvey.standardEntries
    )
    let resolved = checks.compactMap(\.policy)
    let facts = parsed.has(machine) ? MachineEvidence.current(for: resolved, survey: survey) : .unknown
    let results = checks.map { CheckResult(name: $0.name, findings: $0.findings(facts)) }
    CheckOutput(console: console, format: format).print(results)
    let bound = parsed.value(of: failOn).flatMap { FindingSeverity(rawValue: $0) } ?? .error
    let isWrong = results.contains { $0.findings.contains { $0.isOpen && $0.severity >= bound } }
    return isWrong ? ExitCode.data.rawValue : 0
  }

  /// Returns the output format. `--json` is short for `--format json`.
  private static func format(_ parsed: ParsedCommand) throws(CommandFailure) -> CheckFormat {
    let named = parsed.value(of: format).flatMap { CheckFormat(rawValue: $0) }
    guard parsed.has(CommonOptions.json) else { return named ?? .text }
    guard named == nil || named == .json else {
      throw CommandFailure(
        .usage,
        "--json and --format \(named?.rawValue ?? "") cannot be combined"
      )
    }
    return .json
  }
}

/// The output formats of findings.
enum CheckFormat: String, CaseIterable, Sendable {
  case text
  case json
  /// SARIF, for code hosts.
  case sarif
}

/// The findings about a policy or filter.
struct CheckResult: Sendable {
  /// The argument that named the policy or filter.
  var name: String
  var findings: [LintFinding]

  /// Returns the number of findings of a severity that are not justified.
  func open(_ severity: FindingSeverity) -> Int { findings.count { $0.isOpen && $0.severity == severity } }

  /// The number of justified findings.
  var justified: Int { findings.count { !$0.isOpen } }
}
