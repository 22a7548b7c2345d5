// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy
internal import Synchronization

/// The filters that a host has compiled already: each policy once.
package final class SeccompFilterCache: Sendable {
  /// A filter, and what decides it.
  private struct Known {
    var rules: [SyscallRule]
    var filter: SeccompFilter
  }

  /// The filters, the one that was asked for last in front. A host has few policies and asks with the same value again,
  /// which is its own equal at a glance; to hash hundreds of rules takes longer than a launch has time for.
  private let filters = Mutex<[Known]>([])

  /// Nothing compiled yet.
  package init() {}

  /// The filter of a policy, compiled if it is the first of its kind.
  package func filter(for policy: ResolvedPolicy) throws(SeccompError) -> SeccompFilter {
    if let known = filters.withLock({ Self.take(policy.calls, from: &$0) }) { return known }
    // Outside the lock: two launches at the same time may both compile, and come to the same program.
    let filter = try SeccompCompiler.compile(policy)
    filters.withLock { $0.insert(Known(rules: policy.calls, filter: filter), at: 0) }
    return filter
  }

  /// Finds a filter, and puts it in front.
  private static func take(_ rules: [SyscallRule], from filters: inout [Known]) -> SeccompFilter? {
    guard let index = filters.firstIndex(where: { $0.rules == rules }) else { return nil }
    if index > 0 { filters.insert(filters.remove(at: index), at: 0) }
    return filters[0].filter
  }
}
