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

/// Everything that a report about one extension is made of: looked at once, before anything is written.
package struct AuditEvidence {
  /// The extension.
  var installed: InstalledExtension
  /// Why what is installed is not what was installed; nil: it is.
  var change: CatalogError?
  /// The digest of everything in the app's bundle.
  var bundleDigest: SHA256Digest
  /// The software bills of materials in the app's bundle.
  var billsOfMaterials: [BillOfMaterials]
  /// What the app may use now, and why.
  var permissions: ResolvedPermissions
  /// The policy that it runs under.
  var policy: FoundPolicy
  /// The policy as the manifest names it.
  var policyName: String
  /// The policy that others are measured by.
  var standard: ResolvedPolicy
  /// How the policy stands on this machine.
  var enforcement: PolicyFinding
  /// What a check found in the policy.
  var findings: [LintFinding]
  /// What was proved of the compiled filter.
  var proof: FilterProof
  /// What the compiled filter leaves reachable, or why that is too much to be known.
  var exposure: Result<ExposureMeasure, AnalysisError>
  /// The same for what it is compared with.
  var peers: [(peer: PeerSandbox, exposure: ExposureMeasure)]
  /// The sessions that there were.
  var history: SessionHistory
  /// What came of attacking the policy; nil: nobody asked for that.
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
    self.change = change
    self.bundleDigest = bundleDigest
    self.billsOfMaterials = billsOfMaterials
    self.permissions = permissions
    self.policy = policy
    self.policyName = policyName
    self.standard = standard
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

  /// What there is to say, in the order of an auditor's questions.
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

/// What the session log says of an extension's past.
package struct SessionHistory {
  /// The newest sessions in which something was refused or went wrong, with what the log says of them.
  var notable: [LogEntry] = []
  /// How many of those there are.
  var notableCount = 0
  /// How many sessions ended in which way.
  var outcomes: [String: Int] = [:]
  /// When the oldest of them was logged.
  var oldest: Int64?
  /// When the newest of them was logged.
  var newest: Int64?
  /// Whether the log is as it was written.
  var verification = LogVerification()

  /// How many sessions there were.
  var count: Int { outcomes.values.reduce(0, +) }

  /// How many sessions are shown one by one.
  private static let shown = 20

  /// Reads the log of a state root.
  package static func read(_ root: StateRoot, of extensionID: String) throws(StoreError) -> SessionHistory {
    let log = SessionLog(root)
    var history = SessionHistory()
    history.verification = try log.verify()
    var notable: [Int64] = []
    try log.eachFromNewest { result in
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
  /// Whether an auditor wants to know more of it.
  fileprivate var isNotable: Bool { refused > 0 || !["completed", "dismissed"].contains(outcome) }

  /// What was refused or went wrong, in sentences.
  var incidents: [String] {
    let violations = essence?["violations"]?.elements?.compactMap(\.string) ?? []
    let refusals = essence?["refusals"]?.elements ?? []
    return violations
      + refusals.map { refusal in
        let count = refusal["count"]?.integer ?? 1
        return (refusal["sentence"]?.string ?? "") + (count > 1 ? " (\(count) times)" : "")
      }
  }
}
