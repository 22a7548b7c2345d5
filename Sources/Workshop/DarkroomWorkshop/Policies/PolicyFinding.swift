// SPDX-License-Identifier: Apache-2.0

public import DarkroomHost
internal import LaunchPlanning
internal import PolicyLint
internal import SandboxAudit
internal import SandboxPolicy

/// A risky or misleading entry of a policy, or a mistake in its document.
public struct PolicyFinding: Sendable, Hashable {
  /// The severity of a finding.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// The permission is common, but an author should have decided it.
    case note
    /// The policy permits more than most programs need, or its meaning differs from its appearance.
    case warning
    /// The policy cannot work, or requests a permission that no policy may contain.
    case error
  }

  /// The permanent identifier of the rule that produced the finding: `DR` and four digits.
  public let ruleID: String
  /// The name of the rule, such as `write-and-execute-memory`.
  public let ruleName: String
  /// The severity.
  public let severity: Severity
  /// The call, path, limit or group that the finding is about; empty for the whole document.
  public let subject: String
  /// The problem as a sentence without a final period.
  public let message: String
  /// The reason why the problem matters.
  public let reason: String
  /// The fix.
  public let fix: String
  /// The document, line and column, such as `camera.json:6:7`.
  public let location: String
  /// The reason with which the policy justifies the finding, or `nil` if the finding is not justified.
  public let justification: String?

  /// Creates a finding from that of the check.
  init(_ finding: LintFinding) {
    (ruleID, ruleName, severity) = (finding.rule.id, finding.rule.name, Severity(finding.severity))
    (subject, message) = (finding.subject, finding.message)
    (reason, fix) = (finding.rule.justification, finding.rule.remediation)
    location = "\(finding.origin)"
    justification = finding.justification?.reason
  }
}

extension PolicyFinding.Severity {
  /// Creates a severity from that of the check.
  init(_ severity: FindingSeverity) {
    self =
      switch severity {
      case .note: .note
      case .warning: .warning
      case .error: .error
      }
  }
}

extension CapturePolicy {
  /// Checks a policy as `darkroom policy check` does, and returns the findings by document and position, with
  /// justified ones. The mistakes of an invalid document are findings, too.
  ///
  /// - Parameters:
  ///   - nameOrPath: The name of a shipped policy, or the path of a document.
  ///   - inspectsMachine: Whether libseccomp, the kernel and the files of this machine are inspected. Without them, the
  ///     result is the same on every machine.
  ///   - maximumFiles: The maximum number of files that are inspected below each path, at least 1.
  ///
  /// - Returns: The findings.
  ///
  /// - Throws: `HostError.policy` if the policy cannot be found or read.
  public static func check(
    _ nameOrPath: String,
    inspectsMachine: Bool = false,
    maximumFiles: Int = 250_000
  ) async throws(HostError) -> [PolicyFinding] {
    guard maximumFiles > 0 else {
      throw HostError(argument: "the maximum number of files must be at least 1, not \(maximumFiles)")
    }
    return try await HostThread.run { () throws(HostError) in
      let findings: [LintFinding]
      do throws(PolicyFindingError) {
        let policy = try PolicyFinder.find(nameOrPath).policy
        let machine =
          inspectsMachine
          ? MachineEvidence.current(for: [policy], survey: FileSurvey(entries: maximumFiles)) : .unknown
        findings = PolicyLinter.findings(in: policy, machine: machine)
      } catch .diagnostics(let diagnostics) {
        findings = PolicyLinter.findings(for: diagnostics)
      } catch { throw HostError(error) }
      return findings.map { PolicyFinding($0) }
    }
  }
}

extension SystemCallFilter {
  /// Checks the filter as `darkroom policy check` does. The findings about a filter of another program are the calls that no
  /// policy can allow, unassigned numbers, and calls of other architectures.
  ///
  /// - Throws: `HostError.policy` if the filter cannot be compiled or analyzed.
  public func check(under supervision: Supervision = Supervision()) async throws(HostError) -> [PolicyFinding]
  {
    let (name, source, known) = (name, source, supervision.known)
    return try await Self.running { () throws(FilterSourceError) in
      let findings: [LintFinding]
      if let policy = source.policy {
        findings = PolicyLinter.findings(in: policy, machine: .unknown)
      } else {
        findings = PolicyLinter.findings(in: try source.facts(name: name, under: known))
      }
      return findings.map { PolicyFinding($0) }
    }
  }
}
