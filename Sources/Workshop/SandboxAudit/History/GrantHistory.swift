// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// The ages of a policy's rules: for each rule, the version since which it has existed without interruption.
package struct GrantHistory {
  /// A rule that allows a call.
  package struct Grant: Hashable {
    /// The name of the call.
    package var call: String
    /// The conditions on its arguments.
    package var conditions: [ArgumentCondition]

    /// The call with its conditions, as text.
    package var text: String {
      conditions.isEmpty ? call : "\(call) where \(conditions.map(\.description).joined(separator: " and "))"
    }
  }

  /// The age of a rule.
  package enum Age: Hashable {
    /// The rule is in the file but not in any commit.
    case uncommitted
    /// The rule has existed since the version at this index. Index 0 is the newest version.
    case since(Int)
    /// The rule is at least as old as the version at this index. The next older version is unreadable.
    case atLeast(Int)
  }

  /// The current rules of the file, in the order of their calls.
  package let grants: [(grant: Grant, age: Age)]

  /// Compares the current policy with its versions, newest first. An unreadable version is `nil`.
  package init(now: ResolvedPolicy, versions: [ResolvedPolicy?]) {
    var ages: [Grant: Age] = [:]
    var open = Self.grants(of: now)
    let all = open
    for grant in open { ages[grant] = .uncommitted }
    for (index, version) in versions.enumerated() {
      guard let version else {
        if index > 0 { for grant in open { ages[grant] = .atLeast(index - 1) } }
        break
      }
      open.formIntersection(Self.grants(of: version))
      for grant in open { ages[grant] = .since(index) }
    }
    grants = all.sorted { $0.text < $1.text }.map { ($0, ages[$0] ?? .uncommitted) }
  }

  /// Returns the rules of a policy, except those for calls that start programs, which follow from `execute`.
  private static func grants(of policy: ResolvedPolicy) -> Set<Grant> {
    Set(
      policy.calls.filter { !ExecutePermission.calls.contains($0.call) }
        .map { Grant(call: $0.call, conditions: $0.conditions) }
    )
  }
}
