// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import Digests
internal import FilterAnalysis
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyInterchange
internal import PolicyLint
internal import PolicyProof
internal import PolicyTrials
internal import SandboxAudit
internal import SandboxEnforcement
internal import SandboxLaunch
internal import SandboxPolicy
internal import SessionServices
internal import SessionStore

/// A collector of the evidence for an audit report.
struct AuditEvidenceCollector {
  /// The state root.
  let root: StateRoot
  /// The restrictions of the machine's administrator.
  let administration: AdministrationFiles
  /// The parameters of an attack on the policies, or `nil` to attack none.
  var attack: AttackConfiguration?

  /// Collects the evidence about an installed extension.
  func evidence(_ installed: InstalledExtension) throws(CommandFailure) -> AuditEvidence {
    let name = installed.policyPath ?? installed.manifest.policy.text
    let policy = try Self.policy(of: installed)
    let exposure = try Self.exposure(policy.policy)
    return AuditEvidence(
      installed: installed,
      change: Self.integrityError(installed),
      bundleDigest: try Self.bundleDigest(installed.appBundlePath),
      billsOfMaterials: try Self.billsOfMaterials(installed.appBundlePath),
      permissions: try permissions(installed),
      policy: policy,
      policyName: installed.manifest.policy.text,
      standard: try SessionCommands.policy(ExtensionManifest.defaultPolicy).policy,
      enforcement: try enforcement(name, policy.policy),
      findings: PolicyLinter.findings(
        in: policy.policy,
        machine: .current(for: [policy.policy], survey: FileSurvey())
      ),
      proof: exposure.proof,
      exposure: exposure.measure,
      peers: try Self.peers(),
      history: try CommandFailure.mappingStoreErrors { () throws(StoreError) in
        try SessionHistory.read(root, of: installed.manifest.id)
      },
      attack: try attackSummary(policy.policy, installed.manifest.policy.text),
      program: .of(installed.executablePath),
      audited: try Self.audited(installed, policy)
    )
  }

  /// Returns the digests of everything that a session of an extension runs with.
  static func audited(
    _ installed: InstalledExtension,
    _ policy: FoundPolicy
  ) throws(CommandFailure) -> AuditAttestation.Extension {
    do { return try AuditAttestation.Extension(installed, policy) } catch {
      throw CommandFailure(.store, "\(installed.manifest.id): its digests cannot be taken: \(error)")
    }
  }

  /// Returns the policy that an extension runs under.
  static func policy(of installed: InstalledExtension) throws(CommandFailure) -> FoundPolicy {
    try SessionCommands.policy(installed.policyPath ?? installed.manifest.policy.text)
  }

  /// Attacks a policy and returns the result, or `nil` if no attack was requested.
  private func attackSummary(_ policy: ResolvedPolicy, _ name: String) throws(CommandFailure)
    -> AttackSummary?
  {
    guard let attack else { return nil }
    return try AttackCommand.summary(policy, name, attack)
  }

  /// Returns the effective permissions of the app, with their reasons.
  private func permissions(_ installed: InstalledExtension) throws(CommandFailure) -> ResolvedPermissions {
    let decided = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try PermissionStore(root.app(installed.app.id)).read()
    }
    return PermissionResolution(installed).resolve(.success(decided), administration.read())
  }

  /// Returns the digest of a bundle with all its files.
  static func bundleDigest(_ path: String) throws(CommandFailure) -> SHA256Digest {
    do { return try BundleDigest.of(path) } catch {
      throw CommandFailure(.store, "the installed bundle cannot be read: \(error)")
    }
  }

  private static func billsOfMaterials(_ path: String) throws(CommandFailure) -> [BillOfMaterials] {
    do { return try BillOfMaterials.all(in: path) } catch {
      throw CommandFailure(.store, "the installed bundle cannot be read: \(error)")
    }
  }

  /// Returns the difference from the installed state, or `nil` if nothing has changed.
  private static func integrityError(_ installed: InstalledExtension) -> CatalogError? {
    do { try installed.verifyDigest() } catch { return error }
    return nil
  }

  /// Returns the layers of a policy that this machine can enforce. A sandbox is started to measure them.
  private func enforcement(_ name: String, _ policy: ResolvedPolicy) throws(CommandFailure) -> PolicyFinding {
    let report = HostDoctor.examine(stateRoot: root, policies: [(name, policy)])
    guard let finding = report.policies.first else {
      throw CommandFailure(.machine, "nothing is known of the policy \(name) here")
    }
    return finding
  }

  /// Returns the calls that the compiled filter of a policy allows, and the proof of the filter.
  private static func exposure(
    _ policy: ResolvedPolicy
  ) throws(CommandFailure) -> (measure: Result<ExposureMeasure, AnalysisError>, proof: FilterProof) {
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
    } catch { throw CommandFailure(.machine, "the filter of the policy cannot be looked at: \(error)") }
  }

  /// Returns the calls that other sandboxes leave reachable.
  private static func peers() throws(CommandFailure) -> [(peer: PeerSandbox, exposure: ExposureMeasure)] {
    do {
      return try PeerSandbox.all.map { peer in
        (peer, try ExposureMeasure(peer.peer.profile.behavior(in: CallSpace())))
      }
    } catch { throw CommandFailure(.machine, "the filters to compare with cannot be looked at: \(error)") }
  }
}

extension PolicyReference {
  /// The name or path of the policy in the manifest.
  var text: String {
    switch self {
    case .shipped(let name), .file(let name): name
    }
  }
}
