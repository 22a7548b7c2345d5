// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The rules about prctl(2).
///
/// `PR_SET_SECCOMP` is not among them: a filter that a session puts on top can only take away.
extension PolicyRule {
  /// Rules that name no option.
  static let widePrctl = PolicyRule(
    "DR1203",
    "wide-prctl",
    .warning,
    summary: "prctl is allowed for more than one named option",
    justification:
      "prctl is a hundred calls in one. Some of them change how the process is seen, protected and traced, and every "
      + "kernel brings new ones.",
    remediation: "Write one rule for each option: \"index\": 0 and \"equals\": the option, without a mask."
  ) { linted in
    linted.hits(for: ["prctl"]) { rule in
      rule.onlyValue(ofArgument: 0) == nil ? "is allowed without naming one option" : nil
    }
  }

  /// Options that take protections away.
  static let dangerousPrctl = PolicyRule(
    "DR1204",
    "dangerous-prctl",
    .warning,
    summary: "prctl is allowed for an option that weakens or disguises the process",
    justification:
      "Each of these options takes a protection away, hides something from whoever looks at the process, or opens code of "
      + "the kernel that no picture needs.",
    remediation: "Remove the option."
  ) { linted in
    linted.hits(for: ["prctl"]) { rule in
      rule.onlyValue(ofArgument: 0).flatMap { PrctlOptions.dangers[$0] }.map { "can \($0)" }
    }
  }
}

/// The options of prctl(2) that programs in a session have no use for.
enum PrctlOptions {
  /// What each option does, as the end of a sentence; the names are those of `linux/prctl.h`.
  static let dangers: [UInt32: String] = [
    8: "keep capabilities over a change of user (PR_SET_KEEPCAPS)",
    26: "take away the time stamp counter, or give it back (PR_SET_TSC)",
    28: "change what being root means (PR_SET_SECUREBITS)",
    33: "change what happens on damaged memory (PR_MCE_KILL)",
    35: "rewrite what the kernel tells of the process's memory and program (PR_SET_MM)",
    47: "hand capabilities on to other programs (PR_CAP_AMBIENT)",
    53: "switch protections against speculative execution off (PR_SET_SPECULATION_CTRL)",
    57: "claim memory that is set aside for storage drivers (PR_SET_IO_FLUSHER)",
    59: "answer its own system calls (PR_SET_SYSCALL_USER_DISPATCH)",
    62: "choose who may share a processor core (PR_SCHED_CORE)",
    0x5961_6D61: "let another process trace it (PR_SET_PTRACER)",
  ]
}
