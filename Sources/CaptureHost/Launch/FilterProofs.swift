// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import FilterAnalysis
internal import LinuxPrimitives
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
  /// Where proofs are remembered.
  private let directory: String
  /// The layout file without which the root is none, and nothing is written there.
  private let layout: String
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
    var filter: [UInt8]
    /// What they must allow.
    var rules: [SyscallRule]
    /// Whether refusals are reported.
    var refusals: LaunchPlan.RefusalReports

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

  /// How many proofs are remembered under the root; when there are more, they are all made again as they are needed.
  private static let capacity = 512

  /// How many this host knows.
  package var count: Int { known.withLock { $0.count } }

  /// Proofs that are remembered under a state root; more invariants can be asked for than come with Darkroom.
  package init(stateRoot: String, additional: [Invariant] = [], mostKnown: Int = 32) {
    self.additional = additional
    self.mostKnown = mostKnown
    directory = "\(stateRoot)/proofs"
    layout = "\(stateRoot)/version"
  }

  /// Throws unless the filters that a launch would install do what the policy says, and every invariant holds of them.
  package func require(
    _ filter: [UInt8],
    _ refusals: LaunchPlan.RefusalReports,
    of policy: ResolvedPolicy
  ) throws(PlanError) {
    let subject = Subject(filter: filter, rules: policy.calls, refusals: refusals)
    guard !isKnown(subject) else { return }
    let file = digest(of: subject).map { "\(directory)/\($0)" }
    if let file, let status = try? FileSystem.status(file), status.kind == .regular { return keep(subject) }
    let proof: FilterProof
    do {
      proof = try FilterInspection.prove(subject.programs, policy, refusals, invariants: additional)
    } catch { throw .unprovable(error) }
    guard proof.holds else { throw .unproved(policy: policy.name, failures: proof.failures) }
    keep(subject)
    if let file { remember(file) }
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

  /// Notes a proof for other hosts; where that is not possible they make it again.
  private func remember(_ file: String) {
    guard let status = try? FileSystem.status(layout), status.kind == .regular else { return }
    do throws(SystemCallError) {
      try FileSystem.makeDirectories(directory)
      let names = try FileSystem.names(in: directory)
      if names.count >= Self.capacity {
        for name in names { try FileSystem.unlink("\(directory)/\(name)") }
      }
      _ = try FileSystem.open(file, [.write, .create], mode: 0o600)
    } catch {}
  }

  /// The digest of everything that a proof is about: also of the program that makes it, so that another version of
  /// Darkroom proves for itself. Nil where it cannot be taken.
  private func digest(of subject: Subject) -> String? {
    guard let program = try? FileSystem.realPath("/proc/self/exe"),
      let status = try? FileSystem.status(program)
    else { return nil }
    // Nothing is described here by what it is made of: the first use of reflection takes longer than all of this.
    var text =
      "\(program) \(status.device) \(status.inode) \(status.size) \(status.modified) \(subject.reports)\n"
    for invariant in additional { text += "\(invariant)\n" }
    for rule in subject.rules {
      text += rule.call
      for condition in rule.conditions { text += " \(condition.index) \(condition.mask) \(condition.value)" }
      text += "\n"
    }
    var bytes = Array(text.utf8)
    bytes += ShippedPolicies.invariants.text
    for program in subject.programs {
      bytes += "\(program.count)\n".utf8
      bytes += program
    }
    return (try? SHA256Digest.of(bytes)).map { hexadecimalText($0.bytes) }
  }
}
