// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import SandboxPolicy
package import SystemCalls

/// The meaning of a policy: the verdict for every call, derived from its rules alone.
///
/// It verifies the compiler independently. It has a separate table of numbers and a separate list of error
/// numbers, and shares nothing with the compiler except the policy.
package struct PolicySemantics: Sendable {
  package var policy: ResolvedPolicy
  /// The architecture of the policy's programs.
  package var architecture: CallArchitecture

  /// Creates the meaning of a policy for an architecture.
  package init(_ policy: ResolvedPolicy, on architecture: CallArchitecture = .native) {
    self.policy = policy
    self.architecture = architecture
  }

  /// Returns the verdict for every call.
  ///
  /// The kernel kills the process for a call of another architecture, and for one of x32 except the number
  /// -1, which is not a call. Unassigned numbers fail with `ENOSYS`. Known calls fail with `EPERM`, or with
  /// the error in ``defaultErrnos``, unless a rule allows them.
  package func behavior(in space: CallSpace) throws(AnalysisError) -> FilterBehavior {
    var own = try space.behavior(.errno(Self.notImplemented))
    if architecture == .x86 {
      let foreign = try space.numbers(CallArchitecture.x32Bit...UInt32.max - 1)
      own = try own.overriding(foreign, with: .killProcess)
    }
    let table = CallTable.of(architecture)
    let named = Set(policy.calls.map(\.call))
    let refused = Dictionary(grouping: table.numbers) { number in
      table.name(of: number).flatMap { named.contains($0) ? nil : Self.defaultErrnos[$0] }
        ?? Self.notPermitted
    }
    for (answer, numbers) in refused.sorted(by: { $0.key < $1.key }) {
      own = try own.overriding(space.numbers(numbers), with: .errno(answer))
    }
    let allowed = try allowed(table, in: space)
    let always = try space.numbers(allowed.filter(\.set.isEverything).map(\.number))
    own = try own.overriding(always, with: .allow)
    for (number, set) in allowed where !set.isEverything {
      own = try own.overriding(set.intersection(space.numbers(number...number)), with: .allow)
    }
    return try space.behavior(.killProcess)
      .overriding(space.architecture(architecture.auditArchitecture), with: own)
  }

  /// The error numbers of calls that no rule names, if other than `EPERM`. C libraries and programs then fall
  /// back to something else.
  package static let defaultErrnos: [String: UInt16] = [
    "clone3": notImplemented, "sysinfo": notImplemented,
    "setxattr": notSupported, "lsetxattr": notSupported, "fsetxattr": notSupported,
    "setxattrat": notSupported,
    "getxattr": notSupported, "lgetxattr": notSupported, "getxattrat": notSupported,
    "listxattr": notSupported, "llistxattr": notSupported, "listxattrat": notSupported,
  ]

  /// The corresponding constant is `EPERM`.
  private static let notPermitted: UInt16 = 1
  /// The corresponding constant is `ENOSYS`.
  private static let notImplemented: UInt16 = 38
  /// The corresponding constant is `EOPNOTSUPP`.
  private static let notSupported: UInt16 = 95

  /// Returns the calls that the rules allow, by number.
  private func allowed(
    _ table: CallTable,
    in space: CallSpace
  ) throws(AnalysisError) -> [(number: UInt32, set: CallSet)] {
    var sets: [UInt32: CallSet] = [:]
    for rule in policy.calls {
      guard let number = table.number(of: rule.call) else { continue }
      var set = space.everything
      for condition in rule.conditions {
        let equal = try space.argument(
          condition.index,
          mask: UInt64(condition.mask),
          equals: UInt64(condition.value)
        )
        set = try set.intersection(equal)
      }
      sets[number] = try (sets[number] ?? space.nothing).union(set)
    }
    return sets.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
