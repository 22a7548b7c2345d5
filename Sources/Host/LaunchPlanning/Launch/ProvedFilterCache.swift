// SPDX-License-Identifier: Apache-2.0

package import PolicyProof
package import SandboxEnforcement
package import SandboxLaunch
package import SandboxPolicy

/// A cache of the filters of policies. Each filter is compiled once and proved once.
///
/// A compiled filter is cached in memory for this host and, for later hosts, as a file below the state root.
/// The content of such a file is not trusted: it needs the same proof as a newly compiled filter, and is
/// compiled again if the proof fails. Proofs are also cached (``FilterProofCache``), by the bytes of the filter.
package struct ProvedFilterCache: Sendable {
  private let compiled = SeccompFilterCache()
  private let files: CacheDirectory
  private let proofs: FilterProofCache

  /// Creates a cache below a state root. `additional` are invariants beyond those that Darkroom ships.
  package init(stateRoot: String, additional: [Invariant] = []) {
    files = CacheDirectory("filters", stateRoot: stateRoot)
    proofs = FilterProofCache(stateRoot: stateRoot, additional: additional)
  }

  /// Returns the filter of a policy after it was proved to implement the policy and to keep every invariant.
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
      compiled.insert(remembered, for: policy)
      return remembered
    }
    let filter: SeccompFilter
    do { filter = try SeccompCompiler.compile(policy) } catch { throw .filter(error) }
    try proofs.require(filter.instructions, refusals, of: policy, from: origin)
    compiled.insert(filter, for: policy)
    if let file { files.write(file, filter.instructions) }
    return filter
  }

  /// Returns the filter in a cache file, which is untrusted.
  private func remembered(_ file: String) -> SeccompFilter? {
    let longest = SeccompFilter.maximumInstructionCount * SeccompFilter.instructionSize
    guard let bytes = files.read(file, limit: longest) else { return nil }
    // The code that adds reports to a program requires one that the kernel would accept.
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
