// SPDX-License-Identifier: Apache-2.0

/// An operation that combines two policies into one.
package enum PolicyCombination: String, Sendable, Hashable, CaseIterable {
  /// The calls, paths and amounts that both policies allow.
  case intersection
  /// The calls, paths and amounts that at least one of the policies allows.
  case union
}

extension ResolvedPolicy {
  /// Returns the intersection or the union of this policy and another one.
  ///
  /// The rules for execve(2) that start the extension are not combined: they follow from `execute` and the
  /// limit `descriptors`.
  package func combined(by operation: PolicyCombination, with other: ResolvedPolicy) -> ResolvedPolicy {
    var result = self
    switch operation {
    case .intersection:
      result.calls = CallRuleSet(calls).intersection(CallRuleSet(other.calls)).rules
      result.readOnly = Self.commonPaths(readOnly, other.readOnly)
      let devices = Set(other.devices.map(\.value))
      result.devices.removeAll { !devices.contains($0.value) }
      result.scratchBytes = min(scratchBytes, other.scratchBytes)
      result.bestEffort.formIntersection(other.bestEffort)
      result.acceptSingleMechanism.formIntersection(other.acceptSingleMechanism)
      result.execute = execute == .any ? other.execute : .once
      result.semaphores = semaphores == .named ? other.semaphores : .unnamed
      result.content = content == .asWritten ? other.content : .portable
    case .union:
      result.calls = CallRuleSet(calls).union(CallRuleSet(other.calls)).rules
      result.readOnly = Self.allPaths(readOnly, other.readOnly)
      let devices = Set(devices.map(\.value))
      result.devices += other.devices.filter { !devices.contains($0.value) }
      result.scratchBytes = max(scratchBytes, other.scratchBytes)
      result.bestEffort.formUnion(other.bestEffort)
      result.acceptSingleMechanism.formUnion(other.acceptSingleMechanism)
      result.execute = execute == .once ? other.execute : .any
      result.semaphores = semaphores == .unnamed ? other.semaphores : .named
      result.content = content == .portable ? other.content : .asWritten
    }
    if result.execute != execute { result.executeOrigin = other.executeOrigin }
    for name in LimitName.allCases {
      let isWeaker = name.bound.isWeaker(other.limits[name], than: limits[name])
      guard isWeaker == (operation == .union), other.limits[name] != limits[name] else { continue }
      result.limits.set(name, other.sourcedLimit(name))
    }
    return result
  }

  /// Returns a limit with its position, or with that of the policy's name if no document sets the limit.
  private func sourcedLimit(_ name: LimitName) -> Sourced<Int> {
    limits.explicit[name] ?? Sourced(limits[name], documents.first?.name.origin ?? executeOrigin)
  }

  /// Returns the paths that both lists expose. If one path contains the other, the result has the inner path.
  private static func commonPaths(_ first: [ReadOnlyPath], _ second: [ReadOnlyPath]) -> [ReadOnlyPath] {
    // A path that one policy requires stays required: that policy refuses a launch without the path.
    let required = Set((first + second).filter { $0.presence == .required }.map(\.path))
    var common: [ReadOnlyPath] = []
    for one in first {
      for other in second where one.contains(other) || other.contains(one) {
        let inner = one.contains(other) ? other : one
        let presence: ReadOnlyPath.Presence = required.contains(inner.path) ? .required : .optional
        guard !common.contains(where: { $0.path == inner.path }) else { continue }
        common.append(ReadOnlyPath(inner.path, presence, origin: inner.origin))
      }
    }
    return common
  }

  /// Returns the paths of both lists. A path is required if every list that contains it requires it.
  private static func allPaths(_ first: [ReadOnlyPath], _ second: [ReadOnlyPath]) -> [ReadOnlyPath] {
    var all = first
    for other in second {
      guard let index = all.firstIndex(where: { $0.path == other.path }) else {
        all.append(other)
        continue
      }
      if other.presence == .optional { all[index].presence = .optional }
    }
    return all
  }
}

extension ReadOnlyPath {
  /// Whether this path is the other one or one of its ancestors.
  fileprivate func contains(_ other: ReadOnlyPath) -> Bool {
    path == other.path || path == "/" || other.path.hasPrefix(path + "/")
  }
}
