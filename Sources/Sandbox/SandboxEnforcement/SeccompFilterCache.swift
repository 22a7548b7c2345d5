// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy
internal import Synchronization

/// The filters that a host has at hand.
package final class SeccompFilterCache: Sendable {
  /// A filter, and what decides it.
  private struct Known {
    var rules: [SyscallRule]
    var filter: SeccompFilter
  }

  /// The filters, the one that was asked for last in front. A host has few policies and asks with the same value again,
  /// which is its own equal at a glance; to hash hundreds of rules takes longer than a launch has time for.
  private let filters = Mutex<[Known]>([])

  /// How many are kept.
  private let capacity: Int

  /// How many filters are kept.
  package var count: Int { filters.withLock { $0.count } }

  /// Nothing yet. No more than `capacity` are kept: a server may be asked for any number of policies.
  package init(capacity: Int = 32) { self.capacity = capacity }

  /// The filter of a policy; nil if it is not known.
  package func filter(for policy: ResolvedPolicy) -> SeccompFilter? {
    filters.withLock { Self.take(policy.calls, from: &$0) }
  }

  /// Keeps the filter of a policy. Two launches at the same time may both have made it.
  package func keep(_ filter: SeccompFilter, for policy: ResolvedPolicy) {
    filters.withLock { filters in
      filters.insert(Known(rules: policy.calls, filter: filter), at: 0)
      if filters.count > capacity { filters.removeLast() }
    }
  }

  /// Finds a filter, and puts it in front.
  private static func take(_ rules: [SyscallRule], from filters: inout [Known]) -> SeccompFilter? {
    guard let index = filters.firstIndex(where: { $0.rules == rules }) else { return nil }
    if index > 0 { filters.insert(filters.remove(at: index), at: 0) }
    return filters[0].filter
  }
}
