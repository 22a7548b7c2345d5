// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The input of a rule: a policy, and the known facts about the machine.
struct LintedPolicy: Sendable {
  let policy: ResolvedPolicy
  /// The known facts about the machine.
  let machine: MachineEvidence

  /// The documents of the policy, from the policy itself to its most distant ancestor.
  var documents: [PolicyDocument] { policy.documents }

  /// Returns the effective rules for some calls.
  func rules(for calls: some Sequence<String>) -> [SyscallRule] {
    let calls = Set(calls)
    return policy.calls.filter { calls.contains($0.call) }
  }

  /// The position for findings about the policy as a whole.
  var documentOrigin: PolicyOrigin {
    documents.first?.name.origin ?? policy.executeOrigin
  }

  /// Returns the index of the document that contains a position.
  func index(of origin: PolicyOrigin) -> Int? {
    let sameName = documents.indices.filter { documents[$0].source == origin.source }
    // A user's document can have the same file name as a document of Darkroom.
    return sameName.first { documents[$0].outline[origin.position] != nil } ?? sameName.first
  }

  /// Returns the outline entry at a position.
  func entry(at origin: PolicyOrigin) -> DocumentOutline.Entry? {
    index(of: origin).flatMap { documents[$0].outline[origin.position] }
  }

  /// Returns the group that contains the call of a rule, or `nil` if the rule names the call.
  func group(of rule: SyscallRule) -> String? {
    entry(at: rule.origin)?.string.flatMap { $0.hasPrefix("@") ? $0 : nil }
  }

  /// Returns the call of a rule for messages, with its group.
  func displayName(_ rule: SyscallRule) -> String {
    group(of: rule).map { "\"\(rule.call)\" of \"\($0)\"" } ?? "\"\(rule.call)\""
  }

  /// Returns a hit for each rule of some calls. The predicate returns the end of a sentence that starts with
  /// the call.
  func hits(
    for calls: some Sequence<String>,
    _ predicate: (SyscallRule) -> String?
  ) -> [RuleHit] {
    rules(for: calls).compactMap { rule in
      predicate(rule).map { RuleHit(rule.call, rule.origin, "\(displayName(rule)) \($0)") }
    }
  }
}
