// SPDX-License-Identifier: Apache-2.0

package import AppBundles
internal import CaptureHost
package import Digests
internal import FilterAnalysis
internal import HostDiagnosis
package import LaunchPlanning
internal import PolicyInterchange
internal import PolicyLint
internal import PolicyProof
package import PolicyTrials
internal import SandboxEnforcement
internal import SandboxLaunch
internal import SandboxPolicy
internal import SessionServices
package import SessionStore

/// A collector of the evidence for an audit report.
package struct AuditEvidenceCollector {
  private let root: StateRoot
  /// The restrictions of the machine's administrator.
  private let administration: AdministrationFiles
  /// The parameters of an attack on the policies, or `nil` to attack none.
  private let attack: AttackConfiguration?

  /// Creates a collector for the extensions of a state root.
  package init(_ root: StateRoot, _ administration: AdministrationFiles, attack: AttackConfiguration?) {
    self.root = root
    self.administration = administration
    self.attack = attack
  }

  /// Collects the evidence about the extensions of a subject, and returns it with the parts of the report.
  package func evidence(
    of subject: AuditSubject
  ) throws(AuditEvidenceError) -> (evidence: [AuditEvidence], parts: [AuditPart]) {
    var evidence: [AuditEvidence] = []
    for each in subject.extensions { evidence.append(try self.evidence(each)) }
    var parts = evidence.map(\.part)
    if case .app(let app) = subject {
      parts.insert(.of(app, digest: try Self.bundleDigest(app.bundlePath)), at: 0)
    }
    return (evidence, parts)
  }

  /// Collects the evidence about an installed extension.
  package func evidence(_ installed: InstalledExtension) throws(AuditEvidenceError) -> AuditEvidence {
    let name = installed.policyPath ?? installed.manifest.policy.shippedName
    let policy = try Self.policy(of: installed)
    let exposure = try Self.exposure(policy.policy)
    return AuditEvidence(
      try subject(installed, policy),
      AuditEvidence.Policy(
        policy,
        name: installed.manifest.policy.shippedName,
        baseline: try Self.policy(ExtensionManifest.defaultPolicy).policy,
        enforcement: try enforcement(name, policy.policy),
        findings: PolicyLinter.findings(
          in: policy.policy,
          machine: .current(for: [policy.policy], survey: FileSurvey())
        ),
        proof: exposure.proof
      ),
      AuditEvidence.Reach(exposure: exposure.measure, peers: try Self.peers()),
      permissions: try permissions(installed),
      history: try history(of: installed.manifest.id),
      attack: try attackSummary(policy.policy, installed.manifest.policy.shippedName)
    )
  }

  /// Attacks a policy and returns the result, or `nil` if no attack was requested.
  private func attackSummary(
    _ policy: ResolvedPolicy,
    _ name: String
  ) throws(AuditEvidenceError) -> AttackSummary? {
    guard let attack else { return nil }
    do { return try attack.attack(policy, named: name) } catch { throw .attack(error) }
  }

  /// Returns the installed files and their digests.
  private func subject(
    _ installed: InstalledExtension,
    _ policy: FoundPolicy
  ) throws(AuditEvidenceError) -> AuditEvidence.Subject {
    AuditEvidence.Subject(
      installed,
      integrityFault: Self.integrityFault(installed),
      bundleDigest: try Self.bundleDigest(installed.appBundlePath),
      billsOfMaterials: try Self.billsOfMaterials(installed.appBundlePath),
      program: .of(installed.executablePath),
      audited: try Self.audited(installed, policy)
    )
  }

  private func history(of id: String) throws(AuditEvidenceError) -> SessionHistory {
    do { return try SessionHistory.read(root, of: id) } catch { throw .store(error) }
  }

  /// Returns the digests of everything that a session of an extension runs with.
  package static func audited(
    _ installed: InstalledExtension,
    _ policy: FoundPolicy
  ) throws(AuditEvidenceError) -> AuditAttestation.Extension {
    do { return try AuditAttestation.Extension(installed, policy) } catch {
      throw .digests(extension: installed.manifest.id, "\(error)")
    }
  }

  /// Returns the policy that an extension runs under.
  package static func policy(of installed: InstalledExtension) throws(AuditEvidenceError) -> FoundPolicy {
    try policy(installed.policyPath ?? installed.manifest.policy.shippedName)
  }

  private static func policy(_ nameOrPath: String) throws(AuditEvidenceError) -> FoundPolicy {
    do { return try PolicyFinder.find(nameOrPath) } catch { throw .policy(error) }
  }

  /// Returns the effective permissions of the app, with their reasons.
  private func permissions(_ installed: InstalledExtension) throws(AuditEvidenceError) -> ResolvedPermissions
  {
    let decided: AppPermissions
    do { decided = try PermissionStore(root.app(installed.app.id)).read() } catch { throw .store(error) }
    return PermissionResolution(installed).resolve(.success(decided), administration.read())
  }

  /// Returns the digest of a bundle with all its files.
  package static func bundleDigest(_ path: String) throws(AuditEvidenceError) -> SHA256Digest {
    do { return try BundleDigest.of(path) } catch { throw .bundle("\(error)") }
  }

  private static func billsOfMaterials(_ path: String) throws(AuditEvidenceError) -> [BillOfMaterials] {
    do { return try BillOfMaterials.all(in: path) } catch { throw .bundle("\(error)") }
  }

  /// Returns the difference from the installed state, or `nil` if nothing has changed.
  private static func integrityFault(_ installed: InstalledExtension) -> CatalogError? {
    do { try installed.verifyDigest() } catch { return error }
    return nil
  }

  /// Returns the layers of a policy that this machine can enforce. A sandbox is started to measure them.
  private func enforcement(_ name: String, _ policy: ResolvedPolicy) throws(AuditEvidenceError)
    -> PolicyFinding
  {
    let report = HostDoctor.examine(stateRoot: root, policies: [(name, policy)])
    guard let finding = report.policies.first else {
      throw .notExamined(policy: name)
    }
    return finding
  }

  /// Returns the calls that the compiled filter of a policy allows, and the proof of the filter.
  private static func exposure(
    _ policy: ResolvedPolicy
  ) throws(AuditEvidenceError) -> (measure: Result<ExposureMeasure, AnalysisError>, proof: FilterProof) {
    do {
      let filter = try SeccompCompiler.compile(policy).instructions
      let installed = InstalledFilters(filter, .reported).programs
      let proof = try FilterInspection.prove(installed, policy, .reported)
      let program = try FilterInspection.decoded(filter)
      // A policy can be too complex to analyze, even on purpose. The report then contains the error.
      let measure = Result { () throws(AnalysisError) in
        try ExposureMeasure(CallSpace().behavior(of: program))
      }
      return (measure, proof)
    } catch { throw .filter("\(error)") }
  }

  /// Returns the calls that other sandboxes leave reachable.
  private static func peers() throws(AuditEvidenceError) -> [(peer: PeerSandbox, exposure: ExposureMeasure)] {
    do {
      return try PeerSandbox.all.map { peer in
        (peer, try ExposureMeasure(peer.peer.profile.behavior(in: CallSpace())))
      }
    } catch { throw .peers("\(error)") }
  }
}

/// The reason why the evidence for an audit report cannot be collected.
package enum AuditEvidenceError: Error, Sendable, CustomStringConvertible {
  /// The policy cannot be used.
  case policy(PolicyFindingError)
  /// The state root cannot be read.
  case store(StoreError)
  /// The digests of an extension cannot be computed.
  case digests(extension: String, String)
  /// The installed bundle cannot be read.
  case bundle(String)
  /// The enforcement of a policy cannot be examined on this machine.
  case notExamined(policy: String)
  /// The filter of the policy cannot be analyzed.
  case filter(String)
  /// The attack on the policy failed.
  case attack(AttackError)
  /// The filters of other sandboxes cannot be analyzed.
  case peers(String)

  /// The error as a sentence.
  package var description: String {
    switch self {
    case .policy(let error): "\(error)"
    case .store(let error): "\(error)"
    case .digests(let id, let reason): "\(id): the digests cannot be computed: \(reason)"
    case .bundle(let reason): "the installed bundle cannot be read: \(reason)"
    case .notExamined(let policy): "the policy \(policy) was not examined"
    case .filter(let reason): "the filter of the policy cannot be analyzed: \(reason)"
    case .attack(let error): "\(error)"
    case .peers(let reason): "the filters of the other sandboxes cannot be analyzed: \(reason)"
    }
  }
}
