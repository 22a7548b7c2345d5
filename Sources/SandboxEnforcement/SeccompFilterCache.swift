// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy
internal import Synchronization

/// The filters that a host has compiled already: each policy once.
package final class SeccompFilterCache: Sendable {
  /// The filters by what decides them.
  private let filters = Mutex<[[SyscallRule]: SeccompFilter]>([:])

  /// Nothing compiled yet.
  package init() {}

  /// The filter of a policy, compiled if it is the first of its kind.
  package func filter(for policy: ResolvedPolicy) throws(SeccompError) -> SeccompFilter {
    if let known = filters.withLock({ $0[policy.calls] }) { return known }
    // Outside the lock: two launches at the same time may both compile, and come to the same program.
    let filter = try SeccompCompiler.compile(policy)
    filters.withLock { $0[policy.calls] = filter }
    return filter
  }
}
