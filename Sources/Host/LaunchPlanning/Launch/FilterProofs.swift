// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import Policies
package import PolicyProof
internal import SandboxEnforcement
package import SandboxLaunch
package import SandboxPolicy
internal import Synchronization

/// Has every filter proved before it is loaded.
///
/// What was proved once is remembered: in memory for this host, and for the next ones as an empty file under the state
/// root, named by the digest of everything that the proof is about. Who can write there can replace what is captured, too,
/// so the file is as good as the proof.
package final class FilterProofs: Sendable {
  private let files: RememberedFiles
  /// What must hold beside the invariants that come with Darkroom.
  private let additional: [Invariant]
  /// How many this host knows at once: a server may be asked for any number of policies, and what it knew before is looked
  /// up under the root.
  private let mostKnown: Int
  /// What this host knows to be proved, the latest in front.
  private let known = Mutex<[Subject]>([])

  /// What a proof is about. Each host has few, and asks for the same values again: they are their own equals at a glance,
  /// and are not hashed.
  private struct Subject: Equatable {
    /// The compiled filter, which the programs are made of.
    package var filter: [UInt8]
    /// What they must allow.
    var rules: [SyscallRule]
    /// Whether refusals are reported.
    package var refusals: LaunchPlan.RefusalReports

    /// Whether refusals are reported, in words.
    var reports: String {
      switch refusals {
      case .reported: "reported"
      case .silent: "silent"
      case .learned(let scope): "learned \(scope.rawValue)"
      }
    }

    /// The programs, the first one installed first.
    var programs: [[UInt8]] { InstalledFilters(filter, refusals).programs }
  }

  /// How many this host knows.
  package var count: Int { known.withLock { $0.count } }

  /// Proofs that are remembered under a state root; more invariants can be asked for than come with Darkroom.
  package init(stateRoot: String, additional: [Invariant] = [], mostKnown: Int = 32) {
    self.additional = additional
    self.mostKnown = mostKnown
    files = RememberedFiles("proofs", stateRoot: stateRoot)
  }

  /// Throws unless the filters that a launch would install do what the policy says, and every invariant holds of them.
  /// `origin` is that of the policy's rules, if it is known.
  package func require(
    _ filter: [UInt8],
    _ refusals: LaunchPlan.RefusalReports,
    of policy: ResolvedPolicy,
    from origin: FilterOrigin? = nil
  ) throws(PlanError) {
    let subject = Subject(filter: filter, rules: policy.calls, refusals: refusals)
    guard !isKnown(subject) else { return }
    let file = digest(of: subject, origin ?? FilterOrigin(subject.rules))
    if let file, files.has(file) { return keep(subject) }
    let proof: FilterProof
    do {
      proof = try FilterInspection.prove(subject.programs, policy, refusals, invariants: additional)
    } catch { throw .unprovable(error) }
    guard proof.holds else { throw .unproved(policy: policy.name, failures: proof.failures) }
    keep(subject)
    if let file { files.write(file) }
  }

  /// Whether this host knows it to be proved; then it is the latest.
  private func isKnown(_ subject: Subject) -> Bool {
    known.withLock { known in
      guard let index = known.firstIndex(of: subject) else { return false }
      if index > 0 { known.insert(known.remove(at: index), at: 0) }
      return true
    }
  }

  /// Keeps what is proved.
  private func keep(_ subject: Subject) {
    known.withLock { known in
      known.insert(subject, at: 0)
      if known.count > mostKnown { known.removeLast() }
    }
  }

  /// The digest of everything that a proof is about. Nil where it cannot be taken.
  private func digest(of subject: Subject, _ origin: FilterOrigin?) -> String? {
    var terms = "\(subject.reports)\n"
    for invariant in additional { terms += "\(invariant)\n" }
    return origin?.digest([Array(terms.utf8), Array(ShippedPolicies.invariants.text)] + subject.programs)
  }
}
