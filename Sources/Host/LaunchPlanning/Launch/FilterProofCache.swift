// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import Policies
package import PolicyProof
internal import SandboxEnforcement
package import SandboxLaunch
package import SandboxPolicy
internal import Synchronization

/// Proves every filter before it is loaded, and caches the proofs.
///
/// A proof is cached in memory for this host and, for later hosts, as an empty file below the state root. The
/// name of the file is the digest of all inputs of the proof. A process that can write to the state root can
/// also replace captured content, so the file is as trustworthy as the proof.
package final class FilterProofCache: Sendable {
  private let files: CacheDirectory
  /// The invariants that must hold in addition to those that Darkroom ships.
  private let additional: [Invariant]
  /// The maximum number of proofs in memory. A server may use any number of policies; other proofs are looked
  /// up below the state root.
  private let capacity: Int
  /// The proofs in memory, most recently used first.
  private let known = Mutex<[Subject]>([])

  /// The inputs of a proof. A host uses few of them and passes the same values again, so comparing them is
  /// fast and hashing is unnecessary.
  private struct Subject: Equatable {
    /// The compiled filter from which the programs are made.
    package var filter: [UInt8]
    /// The rules that the programs must implement.
    var rules: [SyscallRule]
    /// The way in which refusals are reported.
    package var refusals: LaunchPlan.RefusalReports

    /// The way in which refusals are reported, as text for the digest.
    var reports: String {
      switch refusals {
      case .reported: "reported"
      case .silent: "silent"
      case .learned(let scope): "learned \(scope.rawValue)"
      }
    }

    /// The programs in the order in which they are installed.
    var programs: [[UInt8]] { InstalledFilters(filter, refusals).programs }
  }

  /// The number of proofs in memory.
  package var count: Int { known.withLock { $0.count } }

  /// Creates a cache below a state root. `additional` are invariants beyond those that Darkroom ships.
  package init(stateRoot: String, additional: [Invariant] = [], capacity: Int = 32) {
    self.additional = additional
    self.capacity = capacity
    files = CacheDirectory("proofs", stateRoot: stateRoot)
  }

  /// Checks that the filters of a launch implement the policy and keep every invariant.
  ///
  /// - Parameters:
  ///   - filter: The compiled filter.
  ///   - refusals: The way in which refusals are reported.
  ///   - policy: The policy of the filter.
  ///   - origin: The origin of the policy's rules, if it is known.
  /// - Throws: An error if the filters are refuted or cannot be proved.
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

  /// Returns whether a proof is in memory, and moves it to the front.
  private func isKnown(_ subject: Subject) -> Bool {
    known.withLock { known in
      guard let index = known.firstIndex(of: subject) else { return false }
      if index > 0 { known.insert(known.remove(at: index), at: 0) }
      return true
    }
  }

  /// Adds a proof to memory.
  private func keep(_ subject: Subject) {
    known.withLock { known in
      known.insert(subject, at: 0)
      if known.count > capacity { known.removeLast() }
    }
  }

  /// Returns the digest of all inputs of a proof, or `nil` if it cannot be computed.
  private func digest(of subject: Subject, _ origin: FilterOrigin?) -> String? {
    var terms = "\(subject.reports)\n"
    for invariant in additional { terms += "\(invariant)\n" }
    return origin?.digest([Array(terms.utf8), Array(ShippedPolicies.invariants.text)] + subject.programs)
  }
}
