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
      "On this kernel, the call fails with ENOSYS whatever the policy allows. After a kernel update, the policy "
      + "allows the call although its use was never reviewed.",
    remediation: "Remove the call until the program needs it, or justify it."
  ) { linted in
    guard let kernel = linted.machine.kernel else { return [] }
    return linted.hits(for: Set(linted.policy.calls.map(\.call))) { rule in
      introducingKernel(rule.call).flatMap {
        $0 > kernel ? "was added in Linux \($0); this is Linux \(kernel)" : nil
      }
    }
  }

  /// The rule that finds calls of a group that are newer than the kernel version in the document.
  static let newerThanPolicy = PolicyRule(
    "DR0104",
    "newer-than-policy",
    .warning,
    summary: "A group contains a call that is newer than the policy",
    justification:
      "\"kernel\" is the version that the author has reviewed. Calls that the group has gained since then were not "
      + "reviewed.",
    remediation: "Review the call; then deny it, or raise \"kernel\"."
  ) { linted in
    linted.documents.flatMap { document -> [RuleHit] in
      guard let kernel = document.kernel?.value else { return [] }
      return document.allow.compactMap { rule in
        guard let group = linted.group(of: rule), let first = introducingKernel(rule.call), first > kernel
        else {
          return nil
        }
        let words = "\"\(rule.call)\" of \"\(group)\" was added in Linux \(first)"
        return RuleHit(rule.call, rule.origin, "\(words); the policy was written for Linux \(kernel)")
      }
    }
  }

  /// Returns the kernel version that introduced a call, or `nil` if the table lacks it.
  private static func introducingKernel(_ call: String) -> KernelVersion? {
    CallTable.since(call).flatMap { KernelVersion($0) }
  }
}
