// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about programs without a file.
extension PolicyRule {
  /// The corresponding constant is `MFD_NOEXEC_SEAL`.
  private static let sealedAgainstExecution: UInt32 = 0x8

  /// The rule that finds calls that create executable files in memory.
  static let executableMemoryFile = PolicyRule(
    "DR1002",
    "executable-memory-file",
    .warning,
    summary: "A program can be created in memory and executed",
    justification:
      "With memfd_create and execveat, a program can be received as data and executed without a file that users can "
      + "find or a policy can name.",
    remediation:
      "Deny memfd_create, or set \"execute\" to \"once\", or allow it only with the flag MFD_NOEXEC_SEAL (\"index\": 1, "
      + "\"mask\": \"0x8\", \"equals\": \"0x8\", Linux 6.3)."
  ) { linted in
    guard linted.policy.execute == .any else { return [] }
    return linted.hits(for: ["memfd_create"]) { rule in
      let isSealed = rule.conditions.contains {
        $0.index == 1 && $0.mask & $0.value & sealedAgainstExecution != 0
      }
      return isSealed ? nil : "creates files that can be executed, and \"execute\" is \"any\""
    }
  }
}
