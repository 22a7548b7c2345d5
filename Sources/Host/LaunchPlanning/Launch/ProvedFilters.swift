// SPDX-License-Identifier: Apache-2.0

package import PolicyProof
package import SandboxEnforcement
package import SandboxLaunch
package import SandboxPolicy

/// The filters of policies: each compiled once and proved once.
///
/// What was compiled is remembered in memory for this host, and for the next ones as a file under the state root. Such a file
/// is not believed: what is in it needs the same proof as what was compiled just now, and is compiled anew if there is none.
/// A remembered proof is one (``FilterProofs``), and is named by the filter's own bytes.
package struct ProvedFilters: Sendable {
  private let compiled = SeccompFilterCache()
  private let files: RememberedFiles
  private let proofs: FilterProofs

  /// Filters that are remembered under a state root; more invariants can be asked for than come with Darkroom.
  package init(stateRoot: String, additional: [Invariant] = []) {
    files = RememberedFiles("filters", stateRoot: stateRoot)
    proofs = FilterProofs(stateRoot: stateRoot, additional: additional)
  }

  /// The filter of a policy, of which it is proved that it does what the policy says, and that every invariant holds.
  package func filter(
    for policy: ResolvedPolicy,
    _ refusals: LaunchPlan.RefusalReports
  ) throws(PlanError) -> SeccompFilter {
    if let known = compiled.filter(for: policy) {
      try proofs.require(known.instructions, refusals, of: policy)
      return known
    }
    let origin = FilterOrigin(policy.calls)
    let file = origin?.digest()
    if let file, let remembered = remembered(file), prove(remembered, refusals, policy, origin) {
      compiled.keep(remembered, for: policy)
      return remembered
    }
    let filter: SeccompFilter
    do { filter = try SeccompCompiler.compile(policy) } catch { throw .filter(error) }
    try proofs.require(filter.instructions, refusals, of: policy, from: origin)
    compiled.keep(filter, for: policy)
    if let file { files.write(file, filter.instructions) }
    return filter
  }

  /// What an earlier host has compiled, or says that it has.
  private func remembered(_ file: String) -> SeccompFilter? {
    let longest = SeccompFilter.longest * SeccompFilter.instructionSize
    guard let bytes = files.read(file, limit: longest) else { return nil }
    // What puts reports into a program counts on one that the kernel would take.
    do { _ = try FilterInspection.decoded(bytes) } catch { return nil }
    return SeccompFilter(instructions: bytes)
  }

  private func prove(
    _ filter: SeccompFilter,
    _ refusals: LaunchPlan.RefusalReports,
    _ policy: ResolvedPolicy,
    _ origin: FilterOrigin?
  ) -> Bool {
    do { try proofs.require(filter.instructions, refusals, of: policy, from: origin) } catch { return false }
    return true
  }
}
