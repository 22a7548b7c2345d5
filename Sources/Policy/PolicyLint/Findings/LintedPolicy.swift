// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// A policy together with what is known of the machine: all that a rule can look at.
struct LintedPolicy: Sendable {
  /// The policy.
  let policy: ResolvedPolicy
  /// The machine.
  let machine: KnownMachine

  /// The documents, the policy's own first.
  var documents: [PolicyDocument] { policy.documents }

  /// The rules that are in effect for some calls.
  func rules(for calls: some Sequence<String>) -> [SyscallRule] {
    let calls = Set(calls)
    return policy.calls.filter { calls.contains($0.call) }
  }

  /// Where a policy of no documents, or one as a whole, is pointed at.
  var wholeDocument: PolicyOrigin {
    documents.first?.name.origin ?? policy.executeOrigin
  }

  /// The document that an origin is in, by its place in the chain.
  func index(of origin: PolicyOrigin) -> Int? {
    let sameName = documents.indices.filter { documents[$0].source == origin.source }
    // A document of one's own can have the file name of one that comes with Darkroom.
    return sameName.first { documents[$0].outline[origin.position] != nil } ?? sameName.first
  }

  /// What stands at a place.
  func entry(at origin: PolicyOrigin) -> DocumentOutline.Entry? {
    index(of: origin).flatMap { documents[$0].outline[origin.position] }
  }

  /// The group that brought a rule; nil if it stands for itself.
  func group(of rule: SyscallRule) -> String? {
    entry(at: rule.origin)?.word.flatMap { $0.hasPrefix("@") ? $0 : nil }
  }

  /// The call of a rule for messages, with the group that brought it.
  func named(_ rule: SyscallRule) -> String {
    group(of: rule).map { "\"\(rule.call)\", which \"\($0)\" brings," } ?? "\"\(rule.call)\""
  }

  /// One hit for each rule of some calls, with the end of a sentence that begins with the call.
  func hits(
    for calls: some Sequence<String>,
    _ predicate: (SyscallRule) -> String?
  ) -> [RuleHit] {
    rules(for: calls).compactMap { rule in
      predicate(rule).map { RuleHit(rule.call, rule.origin, "\(named(rule)) \($0)") }
    }
  }
}
