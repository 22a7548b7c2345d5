// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about writable and executable memory.
extension PolicyRule {
  /// The corresponding constant is `PROT_EXEC`.
  private static let executable: UInt32 = 0x4
  /// The corresponding constants are `PROT_WRITE` and `PROT_EXEC`.
  private static let writableAndExecutable: UInt32 = 0x6
  /// The corresponding constant is `SHM_EXEC`.
  private static let sharedExecutable: UInt32 = 0x8000

  /// The rule that finds calls that allow executing memory that the program can write or has written.
  static let writeAndExecuteMemory = PolicyRule(
    "DR1001",
    "write-and-execute-memory",
    .warning,
    summary: "Memory can be written and executed",
    justification:
      "An attacker who exploits the program, for example by a crafted image, can then run new code. Without such "
      + "memory, the attacker is limited to existing code.",
    remediation:
      "Allow mmap, mprotect and pkey_mprotect only with \"index\": 2, \"mask\": \"PROT_EXEC\" and \"equals\": 0, as "
      + "in strict. This works for static programs; a dynamic program needs PROT_EXEC to load its libraries, and a "
      + "run-time compiler always needs it."
  ) { linted in
    linted.hits(for: ["mmap", "mprotect", "pkey_mprotect", "shmat"]) { rule in
      switch rule.call {
      case "mmap" where rule.admits(writableAndExecutable, inArgument: 2):
        "can map memory that is writable and executable at once"
      case "mprotect" where rule.admits(executable, inArgument: 2),
        "pkey_mprotect" where rule.admits(executable, inArgument: 2):
        "can make memory executable that the program has written"
      case "shmat" where rule.admits(sharedExecutable, inArgument: 2):
        "can map shared memory that is writable and executable at once"
      default: nil
      }
    }
  }
}
