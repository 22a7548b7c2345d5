// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy
internal import SystemCalls

/// Rules about the kernel version that introduced a call.
///
/// The table has the versions of calls from Linux 5.17 onwards, so these rules never find older calls.
extension PolicyRule {
  /// The rule that finds calls that the running kernel lacks.
  static let unknownToKernel = PolicyRule(
    "DR0103",
    "unknown-to-kernel",
    .note,
    .kernel,
    summary: "A call is newer than the kernel of this machine",
    justification:
      "Here it answers that it is not there, whatever the policy says. After an update of the kernel it is allowed, without "
      + "anybody having seen what a program does with it.",
    remediation: "Leave it out until the program needs it, or justify it."
  ) { linted in
    guard let kernel = linted.machine.kernel else { return [] }
    return linted.hits(for: Set(linted.policy.calls.map(\.call))) { rule in
      introducingKernel(rule.call).flatMap {
        $0 > kernel ? "came with Linux \($0); this is Linux \(kernel)" : nil
      }
    }
  }

  /// The rule that finds calls of a group that are newer than the kernel version in the document.
  static let newerThanPolicy = PolicyRule(
    "DR0104",
    "newer-than-policy",
    .warning,
    summary: "A group brings a call that is newer than the policy",
    justification:
      "The document says which kernel its author has looked at. What a group has gained since then was never judged.",
    remediation: "Look at the call; then deny it, or raise \"kernel\"."
  ) { linted in
    linted.documents.flatMap { document -> [RuleHit] in
      guard let kernel = document.kernel?.value else { return [] }
      return document.allow.compactMap { rule in
        guard let group = linted.group(of: rule), let first = introducingKernel(rule.call), first > kernel
        else {
          return nil
        }
        let words = "\"\(rule.call)\", which \"\(group)\" brings, came with Linux \(first)"
        return RuleHit(rule.call, rule.origin, "\(words); the policy was written for Linux \(kernel)")
      }
    }
  }

  /// Returns the kernel version that introduced a call, or `nil` if the table lacks it.
  private static func introducingKernel(_ call: String) -> KernelVersion? {
    CallTable.since(call).flatMap { KernelVersion($0) }
  }
}
