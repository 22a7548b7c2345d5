// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Since which version of a policy's document each of its rules has been there without a gap.
struct GrantHistory {
  /// A rule that allows a call.
  struct Grant: Hashable {
    /// The call.
    var call: String
    /// The conditions on its arguments.
    var conditions: [ArgumentCondition]

    /// The call with its conditions, for people.
    var text: String {
      conditions.isEmpty ? call : "\(call) where \(conditions.map(\.description).joined(separator: " and "))"
    }
  }

  /// The age of a rule.
  enum Age: Hashable {
    /// The rule is in the file, and in no commit.
    case uncommitted
    /// The rule has been there since the version of this index; 0 is the newest.
    case since(Int)
    /// The rule is at least as old as the version of this index: an older one cannot be read.
    case atLeast(Int)
  }

  /// The rules of the file as it is now, in the order of their calls.
  let grants: [(grant: Grant, age: Age)]

  /// Compares the file with its versions, newest first; a version that cannot be read is `nil`.
  init(now: ResolvedPolicy, versions: [ResolvedPolicy?]) {
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

  /// The rules of a policy, without those that start programs: they follow from `execute`.
  private static func grants(of policy: ResolvedPolicy) -> Set<Grant> {
    Set(
      policy.calls.filter { !ExecutePermission.calls.contains($0.call) }
        .map { Grant(call: $0.call, conditions: $0.conditions) }
    )
  }
}
