// SPDX-License-Identifier: Apache-2.0

public import DarkroomHost
internal import LaunchPlanning
internal import PolicyLint
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
    (ruleID, ruleName) = (finding.rule.id, finding.rule.name)
    severity =
      switch finding.severity {
      case .note: .note
      case .warning: .warning
      case .error: .error
      }
    (subject, message) = (finding.subject, finding.message)
    (reason, fix) = (finding.rule.justification, finding.rule.remediation)
    location = "\(finding.origin)"
    justification = finding.justification?.reason
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
  ///
  /// - Returns: The findings.
  ///
  /// - Throws: `HostError.policy` if the policy cannot be found or read.
  public static func check(
    _ nameOrPath: String,
    inspectsMachine: Bool = false
  ) async throws(HostError) -> [PolicyFinding] {
    try await HostThread.run { () throws(HostError) in
      let findings: [LintFinding]
      do throws(PolicyFindingError) {
        let policy = try PolicyFinder.find(nameOrPath).policy
        let machine =
          inspectsMachine ? MachineEvidence.current(for: [policy], survey: FileSurvey()) : .unknown
        findings = PolicyLinter.findings(in: policy, machine: machine)
      } catch .diagnostics(let diagnostics) {
        findings = PolicyLinter.findings(for: diagnostics)
      } catch { throw HostError(error) }
      return findings.map { PolicyFinding($0) }
    }
  }
}
