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
      "prctl is a hundred calls in one. Some of them change how the process is seen, protected and traced, and every "
      + "kernel brings new ones.",
    remediation: "Write one rule for each option: \"index\": 0 and \"equals\": the option, without a mask."
  ) { linted in
    linted.hits(for: ["prctl"]) { rule in
      rule.onlyValue(ofArgument: 0) == nil ? "is allowed without naming one option" : nil
    }
  }

  /// The rule that finds options that weaken or disguise the process.
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
      effect: "hide its memory and its open files from a host that is not root and measures them",
      severity: .note
    ),
    8: Risk(name: "PR_SET_KEEPCAPS", effect: "keep capabilities over a change of user"),
    26: Risk(name: "PR_SET_TSC", effect: "take the time stamp counter away, or give it back"),
    28: Risk(name: "PR_SET_SECUREBITS", effect: "change what being root means"),
    33: Risk(name: "PR_MCE_KILL", effect: "change what happens on damaged memory"),
    35: Risk(name: "PR_SET_MM", effect: "rewrite what the kernel tells of its memory and its program"),
    47: Risk(name: "PR_CAP_AMBIENT", effect: "hand capabilities on to other programs"),
    53: Risk(
      name: "PR_SET_SPECULATION_CTRL",
      effect: "switch protections against speculative execution off"
    ),
    57: Risk(name: "PR_SET_IO_FLUSHER", effect: "claim memory that is set aside for storage drivers"),
    59: Risk(name: "PR_SET_SYSCALL_USER_DISPATCH", effect: "answer its own system calls"),
    62: Risk(name: "PR_SCHED_CORE", effect: "choose who may share a processor core with it"),
    0x5961_6D61: Risk(name: "PR_SET_PTRACER", effect: "let another process trace it"),
  ]
}
