// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy
internal import Synchronization

/// A cache of compiled filters, most recently used first.
package final class SeccompFilterCache: Sendable {
  /// A filter and the rules from which it was compiled.
  private struct Entry {
    var rules: [SyscallRule]
    var filter: SeccompFilter
  }

  /// The filters, most recently used first.
  ///
  /// A host has few policies and looks the same value up again, so the arrays are compared by identity first.
  /// Hashing hundreds of rules takes too long for a launch.
  private let filters = Mutex<[Entry]>([])

  /// The maximum number of filters.
  private let capacity: Int

  /// The number of filters in the cache.
  package var count: Int { filters.withLock { $0.count } }

  /// Creates an empty cache. The capacity is bounded because a server may receive any number of policies.
  package init(capacity: Int = 32) { self.capacity = capacity }

  /// Returns the filter of a policy, or `nil` if it is not in the cache.
  package func filter(for policy: ResolvedPolicy) -> SeccompFilter? {
    filters.withLock { Self.take(policy.calls, from: &$0) }
  }

  /// Adds the filter of a policy. Two concurrent launches may both compile and add the same filter.
  package func insert(_ filter: SeccompFilter, for policy: ResolvedPolicy) {
    filters.withLock { filters in
      filters.insert(Entry(rules: policy.calls, filter: filter), at: 0)
      if filters.count > capacity { filters.removeLast() }
    }
  }

  /// Returns the filter of the given rules and moves it to the front.
  private static func take(_ rules: [SyscallRule], from filters: inout [Entry]) -> SeccompFilter? {
    guard let index = filters.firstIndex(where: { $0.rules == rules }) else { return nil }
    if index > 0 { filters.insert(filters.remove(at: index), at: 0) }
    return filters[0].filter
  }
}
