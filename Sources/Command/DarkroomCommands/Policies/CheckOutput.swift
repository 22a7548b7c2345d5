// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import LaunchPlanning
internal import PolicyExplanation
internal import PolicyLint
internal import SandboxAudit
internal import SandboxPolicy

/// The output of a check as text, JSON, or SARIF for code hosts.
struct CheckOutput {
  /// The console to which the output is written.
  let console: Console
  /// The format of the output.
  let format: CheckFormat

  /// Prints the findings about some policies.
  func print(_ results: [CheckResult]) {
    switch format {
    case .text:
      for (index, result) in results.enumerated() {
        if index > 0 { console.print("") }
        for line in Self.lines(result) { console.print(TextTable.printable(line)) }
      }
    case .json: console.print(["policies": .array(results.map(Self.json))])
    case .sarif: console.print(Self.sarif(results))
    }
  }

  func printRules() {
    switch format {
    case .text:
      var table = TextTable([
        .init("RULE"), .init("NAME"), .init("SEVERITY"), .init("EVIDENCE"), .init("FINDING"),
      ])
      for rule in PolicyRules.descriptions {
        table.add([rule.id, rule.name, rule.severity.rawValue, rule.evidence.text, rule.summary])
      }
      console.print(table)
    case .json: console.print(["rules": .array(PolicyRules.descriptions.map(\.json))])
    case .sarif: console.print(Self.sarif([]))
    }
  }

  /// Returns the findings about a policy as text. The purpose of a rule is printed once.
  private static func lines(_ result: CheckResult) -> [String] {
    var lines: [String] = []
    var said: Set<String> = []
    for finding in result.findings {
      if let justification = finding.justification {
        lines.append(
          "\(finding.origin): justified: \(finding.message) [\(finding.rule.id) \(finding.rule.name)]"
        )
        lines.append("    because: \(justification.reason) (\(justification.origin))")
        continue
      }
      lines.append(finding.description)
      guard said.insert(finding.rule.id).inserted else { continue }
      lines.append("    why: \(finding.rule.justification)")
      lines.append("    instead: \(finding.rule.remediation)")
    }
    return lines + [summaryLine(result)]
  }

  /// Returns the summary line below the findings about a policy.
  private static func summaryLine(_ result: CheckResult) -> String {
    let counts = FindingSeverity.allCases.reversed().map { severity in
      let count = result.open(severity)
      return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    return "\(result.name): \(counts.joined(separator: ", ")); \(result.justified) justified"
  }

  /// Returns the findings about a policy as JSON.
  private static func json(_ result: CheckResult) -> JSONValue {
    let counts = FindingSeverity.allCases.reversed().map { severity in
      JSONValue.Member("\(severity.rawValue)s", .integer(Int64(result.open(severity))))
    }
    return .object(
      [.init("policy", .string(result.name))] + counts + [
        .init("justified", .integer(Int64(result.justified))),
        .init("findings", .array(result.findings.map(\.json))),
      ]
    )
  }

  /// Returns the findings about all policies as one log. A finding that two policies inherit from the same
  /// policy is included once.
  private static func sarif(_ results: [CheckResult]) -> JSONValue {
    var seen: Set<LintFinding> = []
    let findings = results.flatMap(\.findings).filter { seen.insert($0).inserted }
    let names = Set(results.map(\.name)).subtracting(PolicyFinder.shippedNames)
    let texts = CheckedTexts(files: names, sources: Set(findings.map(\.origin.source)))
    return SARIFLog(
      findings,
      version: DarkroomCommandLine.version,
      isFile: { names.contains($0) },
      column: { texts.column($0) }
    ).json
  }
}

extension RuleDescription.Evidence {
  /// The evidence that a rule uses, as a table cell.
  fileprivate var text: String {
    switch self {
    case .policy: "policy"
    case .library: "libseccomp"
    case .kernel: "kernel"
    case .files: "files"
    }
  }
}
