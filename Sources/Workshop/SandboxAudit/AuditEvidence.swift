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
  /// The extension.
  var installed: InstalledExtension
  /// The difference between the installed files and their pinned digests, or `nil` if there is none.
  var integrityFault: CatalogError?
  /// The digest of all files in the app's bundle.
  var bundleDigest: SHA256Digest
  /// The software bills of materials in the app's bundle.
  var billsOfMaterials: [BillOfMaterials]
  /// The current permissions of the app, with their reasons.
  var permissions: ResolvedPermissions
  /// The policy of the extension.
  var policy: FoundPolicy
  /// The name of the policy in the manifest.
  var policyName: String
  /// The policy with which the extension's policy is compared.
  var baselinePolicy: ResolvedPolicy
  /// The enforcement of the policy on this machine.
  var enforcement: PolicyFinding
  /// The findings of a check of the policy.
  var findings: [LintFinding]
  /// The proof of the compiled filter.
  var proof: FilterProof
  /// The calls that the compiled filter leaves reachable, or the reason why they cannot be computed.
  var exposure: Result<ExposureMeasure, AnalysisError>
  /// The exposure of other sandboxes for comparison.
  var peers: [(peer: PeerSandbox, exposure: ExposureMeasure)]
  /// The past sessions.
  var history: SessionHistory
  /// The results of attacking the policy, or `nil` if no attack was requested.
  package var attack: AttackSummary?
  /// The hardening of the program.
  var program: ProgramHardening
  /// The digests of everything that a session runs with.
  package var audited: AuditAttestation.Extension

  /// Creates a value from its parts.
  package init(
    installed: InstalledExtension,
    change: CatalogError? = nil,
    bundleDigest: SHA256Digest,
    billsOfMaterials: [BillOfMaterials],
    permissions: ResolvedPermissions,
    policy: FoundPolicy,
    policyName: String,
    standard: ResolvedPolicy,
    enforcement: PolicyFinding,
    findings: [LintFinding],
    proof: FilterProof,
    exposure: Result<ExposureMeasure, AnalysisError>,
    peers: [(peer: PeerSandbox, exposure: ExposureMeasure)],
    history: SessionHistory,
    attack: AttackSummary? = nil,
    program: ProgramHardening,
    audited: AuditAttestation.Extension
  ) {
    self.installed = installed
    self.integrityFault = change
    self.bundleDigest = bundleDigest
    self.billsOfMaterials = billsOfMaterials
    self.permissions = permissions
    self.policy = policy
    self.policyName = policyName
    self.baselinePolicy = standard
    self.enforcement = enforcement
    self.findings = findings
    self.proof = proof
    self.exposure = exposure
    self.peers = peers
    self.history = history
    self.attack = attack
    self.program = program
    self.audited = audited
  }

  /// The report about the extension. The sections are in the order of an auditor's questions.
  package var part: AuditPart {
    AuditPart(
      id: installed.manifest.id,
      title: "\(installed.manifest.name) (\(installed.manifest.id))",
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
