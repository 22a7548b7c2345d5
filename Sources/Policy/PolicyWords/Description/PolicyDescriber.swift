// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Answers the questions that an auditor asks about a policy, one section each.
struct PolicyDescriber {
  /// A short name for what sections consist of.
  typealias Statement = PolicyDescription.Statement
  /// A short name for what a description consists of.
  typealias Section = PolicyDescription.Section

  /// The policy.
  let policy: ResolvedPolicy
  /// How sessions are kept apart.
  let mode: SessionMode
  /// What its rules come to.
  let reach: PolicyReach
  /// Where its entries come from.
  let provenance: PolicyProvenance

  /// Works out what a policy comes to.
  init(_ policy: ResolvedPolicy, _ mode: SessionMode) {
    self.policy = mode.effective(policy)
    self.mode = mode
    reach = PolicyReach(self.policy)
    provenance = PolicyProvenance(of: self.policy)
  }

  /// What the policy is.
  var identity: Section {
    let documents = policy.documents.map { "\($0.name.value) (\($0.source))" }
    let chain =
      documents.count < 2
      ? "\(documents.first ?? policy.name) extends no other policy."
      : "\(documents[0]) extends \(documents.dropFirst().joined(separator: ", which extends "))."
    let table = SystemCallTable.native
    let known = table.numbers.count
    let calls = reach.calls.filter { table.numbers[$0] != nil }
    let limited = calls.filter { !reach.canAlways($0) }.count
    return Section(
      title: "What the policy is",
      statements: (policy.description.isEmpty ? [] : [Statement(.fact, policy.description)]) + [
        Statement(.fact, chain),
        Statement(
          .fact,
          "It allows \(calls.count) of the \(known) system calls of this machine, \(limited) of them with certain "
            + "arguments only, and no other; 'darkroom policy show --resolved' lists each with its line."
        ),
      ]
    )
  }
}

extension PolicyDescriber {
  /// The calls that open files.
  static let opening = ["open", "openat", "openat2", "creat"]

  /// Whether files can be opened for reading, or for writing.
  func canOpen(_ access: FileAccess) -> Bool {
    let modes: [UInt32] = access == .reading ? [0, 2] : [1, 2]
    return modes.contains { mode in
      [("open", 1), ("openat", 2)].contains { call, index in
        reach.can(call, ArgumentCondition(index: index, mask: 3, value: mode))
      }
    } || reach.can("openat2") || access == .writing && reach.can("creat")
  }

  /// What a file is opened for.
  enum FileAccess {
    /// `O_RDONLY` or `O_RDWR`.
    case reading
    /// `O_WRONLY` or `O_RDWR`.
    case writing
  }

  /// The names of what can be done among these, each with the calls that do it; in their order.
  func possible(_ deeds: KeyValuePairs<String, [String]>) -> [String] {
    deeds.compactMap { deed, calls in
      let allowed = reach.among(calls)
      return allowed.isEmpty ? nil : "\(deed) (\(allowed.joined(separator: ", ")))"
    }
  }

  /// The names of what cannot be done among these, in their order.
  func impossible(_ deeds: KeyValuePairs<String, [String]>) -> [String] {
    deeds.compactMap { deed, calls in reach.among(calls).isEmpty ? deed : nil }
  }

  /// What can be done, and what not, as two statements; without those that would say nothing.
  func deeds(
    _ can: String,
    _ cannot: String,
    _ deeds: KeyValuePairs<String, [String]>
  ) -> [Statement] {
    let (possible, impossible) = (possible(deeds), impossible(deeds))
    let calls = reach.among(deeds.flatMap(\.value))
    return (possible.isEmpty ? [] : [Statement(.can, can, possible, about: calls)])
      + (impossible.isEmpty ? [] : [Statement(.cannot, "\(cannot) \(RuleText.list(impossible, "or")).")])
  }

  /// The value of a limit as a policy writes it.
  func limit(_ name: LimitName) -> String { QuantityText.text(policy.limits[name], name.unit) }

  /// Where an entry is written, in brackets; empty for what no document says.
  func place(_ key: PolicyEntry.Key) -> String {
    provenance[key].first?.origin.map { " (\($0))" } ?? " (no document says so: it is the standard value)"
  }
}
