// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about prctl(2).
///
/// A separate rule, ``ownFilters``, finds `PR_SET_SECCOMP`.
extension PolicyRule {
  /// The rule that finds rules that allow several options.
  static let widePrctl = PolicyRule(
    "DR1203",
    "wide-prctl",
    .warning,
    summary: "prctl is allowed for more than one named option",
    justification:
      "prctl has about a hundred options. Some of them change how the process is displayed, protected and traced, "
      + "and new kernels add more.",
    remediation: "Write one rule for each option: \"index\": 0 and \"equals\": the option, without a mask."
  ) { linted in
    linted.hits(for: ["prctl"]) { rule in
      rule.onlyValue(ofArgument: 0) == nil ? "is allowed without naming a single option" : nil
    }
  }

  /// The rule that finds options that weaken or disguise the process.
  static let dangerousPrctl = PolicyRule(
    "DR1204",
    "dangerous-prctl",
    .warning,
    summary: "prctl is allowed for an option that weakens or disguises the process",
    justification:
      "Each of these options removes a protection, hides something from observers of the process, or exposes kernel "
      + "code that captures do not need.",
    remediation: "Remove the option."
  ) { linted in
    linted.rules(for: ["prctl"]).compactMap { rule in
      guard let option = rule.onlyValue(ofArgument: 0), let risk = PrctlOptions.risks[option] else {
        return nil
      }
      return RuleHit(
        "prctl \(risk.name)",
        rule.origin,
        "\(linted.displayName(rule)) can \(risk.effect) (\(risk.name))",
        risk.severity
      )
    }
  }
}

/// The risky options of prctl(2), which few programs in a session need.
enum PrctlOptions {
  /// An option that weakens or disguises the process.
  struct Risk: Sendable {
    /// The name of the option in `linux/prctl.h`.
    var name: String
    /// The effect of the option, as a predicate after "can".
    var effect: String
    /// The severity, or `nil` if it is that of the rule.
    var severity: FindingSeverity?
  }

  /// The options by number.
  static let risks: [UInt32: Risk] = [
    4: Risk(
      name: "PR_SET_DUMPABLE",
      effect: "hide its memory and its open files from a host without root privileges that measures them",
      severity: .note
    ),
    8: Risk(name: "PR_SET_KEEPCAPS", effect: "keep capabilities when the user changes"),
    26: Risk(name: "PR_SET_TSC", effect: "disable or enable the time stamp counter"),
    28: Risk(name: "PR_SET_SECUREBITS", effect: "change the privileges of root"),
    33: Risk(name: "PR_MCE_KILL", effect: "change the handling of damaged memory"),
    35: Risk(name: "PR_SET_MM", effect: "change the memory layout and the program that the kernel reports"),
    47: Risk(name: "PR_CAP_AMBIENT", effect: "pass capabilities on to other programs"),
    53: Risk(
      name: "PR_SET_SPECULATION_CTRL",
      effect: "disable protections against speculative execution"
    ),
    57: Risk(name: "PR_SET_IO_FLUSHER", effect: "use memory that is reserved for storage drivers"),
    59: Risk(name: "PR_SET_SYSCALL_USER_DISPATCH", effect: "handle its own system calls"),
    62: Risk(name: "PR_SCHED_CORE", effect: "choose the processes that share a processor core with it"),
    0x5961_6D61: Risk(name: "PR_SET_PTRACER", effect: "let another process trace it"),
  ]
}
