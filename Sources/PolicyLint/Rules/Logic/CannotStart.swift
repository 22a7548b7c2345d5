// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Policies under which no program runs.
extension PolicyRule {
  /// Calls that every program makes before it does anything, or when it ends.
  static let cannotStart = PolicyRule(
    "DR2004",
    "cannot-start",
    .error,
    summary: "A call is missing without which no program starts or ends",
    justification:
      "The C library makes these calls before main and after it. Refused, it ends the program, mostly without a word.",
    remediation: "Allow the call, or extend base or strict, which have all of them."
  ) { linted in
    let table = SystemCallTable.native
    return EssentialCalls.all.compactMap { call, reason in
      guard table.numbers[call] != nil, linted.policy.rules(for: call).isEmpty else { return nil }
      if let denial = linted.policy.denials(of: call).first {
        return RuleHit(call, denial, "\"\(call)\" is denied: \(reason)")
      }
      return RuleHit(call, linted.wholeDocument, "\"\(call)\" is not allowed: \(reason)")
    }
  }
}

/// The calls that the C libraries cannot do without.
enum EssentialCalls {
  /// The calls, and what becomes of a program without them.
  static let all: KeyValuePairs<String, String> = [
    "arch_prctl": "the thread's own memory cannot be set up, and the program ends before main",
    "brk": "the first memory cannot be had, and static programs end before main",
    "mmap": "no library can be loaded and no memory be had",
    "munmap": "memory cannot be given back",
    "mprotect": "what was relocated cannot be made read-only, and the loader ends the program",
    "read": "nothing can be read, not even what the host says",
    "write": "nothing can be written, not even what went wrong",
    "close": "descriptors cannot be given back",
    "futex": "threads cannot wait for each other, and locks end the program",
    "set_tid_address": "threads cannot be waited for",
    "rt_sigreturn": "the first signal that is handled ends the program",
    "exit_group": "the program cannot end in an orderly way",
  ]
}
