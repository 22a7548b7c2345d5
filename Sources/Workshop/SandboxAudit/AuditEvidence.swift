// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
package import Digests
package import FilterAnalysis
internal import JSONText
package import LaunchPlanning
package import PolicyLint
package import PolicyProof
package import PolicyTrials
package import SandboxPolicy
package import SessionStore

/// The evidence for a report about one extension. It is collected once, before the report is written.
package struct AuditEvidence {
  /// The installed extension and its files.
  package var subject: Subject
  /// The policy of the extension, and the results of its checks.
  var policy: Policy
  /// The calls that the compiled filter leaves reachable.
  var reach: Reach
  /// The current permissions of the app, with their reasons.
  var permissions: ResolvedPermissions
  /// The past sessions.
  var history: SessionHistory
  /// The results of attacking the policy, or `nil` if no attack was requested.
  package var attack: AttackSummary?

  /// Creates evidence from its parts.
  package init(
    _ subject: Subject,
    _ policy: Policy,
    _ reach: Reach,
    permissions: ResolvedPermissions,
    history: SessionHistory,
    attack: AttackSummary? = nil
  ) {
    self.subject = subject
    self.policy = policy
    self.reach = reach
    self.permissions = permissions
    self.history = history
    self.attack = attack
  }

  /// An installed extension and its files.
  package struct Subject {
    /// The extension.
    var installed: InstalledExtension
    /// The difference between the installed files and their pinned digests, or `nil` if there is none.
    var integrityFault: CatalogError?
    /// The digest of all files in the app's bundle.
    var bundleDigest: SHA256Digest
    /// The software bills of materials in the app's bundle.
    var billsOfMaterials: [BillOfMaterials]
    /// The hardening of the program.
    var program: ProgramHardening
    /// The digests of everything that a session runs with.
    package var audited: AuditAttestation.Extension

    /// Creates a description of an installed extension.
    package init(
      _ installed: InstalledExtension,
      integrityFault: CatalogError?,
      bundleDigest: SHA256Digest,
      billsOfMaterials: [BillOfMaterials],
      program: ProgramHardening,
      audited: AuditAttestation.Extension
    ) {
      self.installed = installed
      self.integrityFault = integrityFault
      self.bundleDigest = bundleDigest
      self.billsOfMaterials = billsOfMaterials
      self.program = program
      self.audited = audited
    }
  }

  /// The policy of an extension, and the results of its checks.
  package struct Policy {
    /// The policy.
    var found: FoundPolicy
    /// The name of the policy in the manifest.
    var name: String
    /// The policy with which the extension's policy is compared.
    var baseline: ResolvedPolicy
    /// The enforcement of the policy on this machine.
    var enforcement: PolicyFinding
    /// The findings of a check of the policy.
    var findings: [LintFinding]
    /// The proof of the compiled filter.
    var proof: FilterProof

    /// Creates a description of a policy.
    package init(
      _ found: FoundPolicy,
      name: String,
      baseline: ResolvedPolicy,
      enforcement: PolicyFinding,
      findings: [LintFinding],
      proof: FilterProof
    ) {
      self.found = found
      self.name = name
      self.baseline = baseline
      self.enforcement = enforcement
      self.findings = findings
      self.proof = proof
    }
  }

  /// The calls that a compiled filter leaves reachable.
  package struct Reach {
    /// The exposure, or the reason why it cannot be computed.
    var exposure: Result<ExposureMeasure, AnalysisError>
    /// The exposure of other sandboxes for comparison.
    var peers: [(peer: PeerSandbox, exposure: ExposureMeasure)]

    /// Creates a description of the reachable calls.
    package init(
      exposure: Result<ExposureMeasure, AnalysisError>,
      peers: [(peer: PeerSandbox, exposure: ExposureMeasure)]
    ) {
      self.exposure = exposure
      self.peers = peers
    }
  }

  /// The report about the extension. The sections are in the order of an auditor's questions.
  package var part: AuditPart {
    AuditPart(
      id: subject.installed.manifest.id,
      title: "\(subject.installed.manifest.name) (\(subject.installed.manifest.id))",
      sections: [
        summarySection, identitySection, hardeningSection, requestSection, policySection, enforcementSection,
        controlSection, findingsSection, exposureSection, attackSection, historySection, limitsSection,
      ]
    )
  }
}

/// The history of an extension's sessions in the session log.
package struct SessionHistory {
  /// The newest notable sessions, with their log entries. A session is notable if a call was refused or it
  /// ended badly.
  var notable: [LogEntry] = []
  /// The number of all notable sessions.
  var notableCount = 0
  /// The number of sessions for each kind of outcome.
  var outcomes: [String: Int] = [:]
  /// The time of the oldest log entry, in milliseconds since 1970.
  var oldest: Int64?
  /// The time of the newest log entry, in milliseconds since 1970.
  var newest: Int64?
  /// The verification of the log's integrity.
  var verification = LogVerification()

  /// The number of sessions.
  var count: Int { outcomes.values.reduce(0, +) }

  /// The maximum number of notable sessions that a report lists.
  private static let shown = 20

  /// Reads the log of a state root.
  package static func read(_ root: StateRoot, of extensionID: String) throws(StoreError) -> SessionHistory {
    let log = SessionLog(root)
    var history = SessionHistory()
    history.verification = try log.verify()
    var notable: [Int64] = []
    try log.forEachFromNewest { result in
      guard case .success(let entry) = result, let session = entry.note.session,
        session.extensionID == extensionID
      else { return .more }
      history.outcomes[session.outcome, default: 0] += 1
      history.newest = history.newest ?? entry.note.time
      history.oldest = entry.note.time
      if session.isNotable { notable.append(entry.sequence) }
      return .more
    }
    history.notableCount = notable.count
    for sequence in notable.prefix(shown) {
      if let entry = try log.entry(.sequence(sequence)) { history.notable.append(entry) }
    }
    return history
  }
}

extension LogNote.Session {
  /// Whether the session is of interest to an auditor.
  fileprivate var isNotable: Bool { refused > 0 || !["completed", "dismissed"].contains(outcome) }

  /// The refusals and violations of the session, as sentences.
  var incidents: [String] {
    let violations = excerpt?["violations"]?.elements?.compactMap(\.string) ?? []
    let refusals = excerpt?["refusals"]?.elements ?? []
    return violations
      + refusals.map { refusal in
        let count = refusal["count"]?.integer ?? 1
        return (refusal["sentence"]?.string ?? "") + (count > 1 ? " (\(count) times)" : "")
      }
  }
}
