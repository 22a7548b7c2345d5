// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The sections of a policy description, one for each question of an auditor.
struct PolicyDescriber {
  typealias Statement = PolicyDescription.Statement
  typealias Section = PolicyDescription.Section

  /// The policy, as far as it applies to sessions of the mode.
  let policy: ResolvedPolicy
  /// The isolation mode of the sessions.
  let mode: SessionMode
  /// The calls and arguments that the policy permits.
  let permittedCalls: PermittedCalls
  /// The origins of the policy's entries.
  let provenance: PolicyProvenance

  /// Creates a describer for a policy and an isolation mode.
  init(_ policy: ResolvedPolicy, _ mode: SessionMode) {
    self.policy = mode.effective(policy)
    self.mode = mode
    permittedCalls = PermittedCalls(self.policy)
    provenance = PolicyProvenance(of: self.policy)
  }

  /// The section about the name, the ancestors and the number of allowed calls.
  var identity: Section {
    let documents = policy.documents.map { "\($0.name.value) (\($0.source))" }
    let chain =
      documents.count < 2
      ? "\(documents.first ?? policy.name) extends no other policy."
      : "\(documents[0]) extends \(documents.dropFirst().joined(separator: ", which extends "))."
    let table = SystemCallTable.native
    let known = table.numbers.count
    let calls = permittedCalls.calls.filter { table.numbers[$0] != nil }
    let limited = calls.filter { !permittedCalls.permitsUnconditionally($0) }.count
    return Section(
      title: "Policy",
      statements: (policy.description.isEmpty ? [] : [Statement(.fact, policy.description)]) + [
        Statement(.fact, chain),
        Statement(
          .fact,
          "The policy allows \(calls.count) of the \(known) system calls of this machine, \(limited) of them only "
            + "with certain arguments; 'darkroom policy show --resolved' lists the line of each call."
        ),
      ]
    )
  }
}

extension PolicyDescriber {
  /// The calls that open files.
  static let openCalls = ["open", "openat", "openat2", "creat"]

  /// Returns whether files can be opened for reading or for writing.
  func canOpen(_ access: FileAccess) -> Bool {
    let modes: [UInt32] = access == .reading ? [0, 2] : [1, 2]
    return modes.contains { mode in
      [("open", 1), ("openat", 2)].contains { call, index in
        permittedCalls.permits(call, ArgumentCondition(index: index, mask: 3, value: mode))
      }
    } || permittedCalls.permits("openat2") || access == .writing && permittedCalls.permits("creat")
  }

  /// A kind of access to an opened file.
  enum FileAccess {
    /// Access with `O_RDONLY` or `O_RDWR`.
    case reading
    /// Access with `O_WRONLY` or `O_RDWR`.
    case writing
  }

  /// Returns the possible operations with their permitted calls, in order.
  func possibleOperations(_ operations: KeyValuePairs<String, [String]>) -> [String] {
    operations.compactMap { operation, calls in
      let allowed = permittedCalls.intersection(calls)
      return allowed.isEmpty ? nil : "\(operation) (\(allowed.joined(separator: ", ")))"
    }
  }

  /// Returns the operations without any permitted call, in order.
  func impossibleOperations(_ operations: KeyValuePairs<String, [String]>) -> [String] {
    operations.compactMap { operation, calls in permittedCalls.intersection(calls).isEmpty ? operation : nil }
  }

  /// Returns one statement about possible and one about impossible operations, without empty statements.
  func operations(
    _ can: String,
    _ cannot: String,
    _ operations: KeyValuePairs<String, [String]>
  ) -> [Statement] {
    let (possibleOperations, impossibleOperations) = (
      possibleOperations(operations), impossibleOperations(operations)
    )
    let calls = permittedCalls.intersection(operations.flatMap(\.value))
    return (possibleOperations.isEmpty ? [] : [Statement(.can, can, possibleOperations, about: calls)])
      + (impossibleOperations.isEmpty
        ? [] : [Statement(.cannot, "\(cannot) \(RuleText.list(impossibleOperations, "or")).")])
  }

  /// Returns the value of a limit in policy syntax.
  func limit(_ name: LimitName) -> String { QuantityText.text(policy.limits[name], name.unit) }

  /// Returns the origin of an entry in parentheses, or a note if the value is the default.
  func originSuffix(_ key: PolicyEntry.Key) -> String {
    provenance[key].first?.origin.map { " (\($0))" } ?? " (default value)"
  }
}
