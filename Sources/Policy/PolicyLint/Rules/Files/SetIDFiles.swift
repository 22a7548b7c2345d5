// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about set-user-ID and set-group-ID files.
extension PolicyRule {
  /// The rule that finds calls that can set the set-user-ID or set-group-ID bit of a file.
  static let setIDFiles = PolicyRule(
    "DR1301",
    "set-id-files",
    .warning,
    summary: "Set-user-ID or set-group-ID files can be created",
    justification:
      "A program with the bit S_ISUID or S_ISGID runs with the file owner's user or group on the host, whichever "
      + "user starts it. The migration clears the bits as a second line of defense.",
    remediation:
      "Compare the mode with \"mask\": \"S_ISUID|S_ISGID|S_ISVTX\" and \"equals\": 0; for open and openat, add a "
      + "second rule that allows calls without file creation (\"mask\": \"O_CREAT|__O_TMPFILE\", \"equals\": 0)."
  ) { linted in
    linted.hits(for: ModeArgument.all.keys) { rule in
      guard let place = ModeArgument.all[rule.call], place.createsFile(rule),
        ModeArgument.bits.contains(where: { rule.admits($0, inArgument: place.mode) })
      else { return nil }
      return "can give a file the bit S_ISUID or S_ISGID"
    }
  }
}

/// The mode argument of a call.
private struct ModeArgument: Sendable {
  /// The index of the mode argument.
  var mode: Int
  /// The index of the flags argument that decides whether the call creates a file, or `nil` if the mode
  /// always applies.
  var flags: Int?

  /// The corresponding constants are `S_ISUID` and `S_ISGID`.
  static let bits: [UInt32] = [0x800, 0x400]
  /// The corresponding constants are `O_CREAT` and `__O_TMPFILE`.
  private static let creationFlags: [UInt32] = [0x40, 0x40_0000]

  /// The mode arguments by call.
  static let all: [String: ModeArgument] = [
    "open": ModeArgument(mode: 2, flags: 1), "openat": ModeArgument(mode: 3, flags: 2),
    "creat": ModeArgument(mode: 1), "mkdir": ModeArgument(mode: 1), "mkdirat": ModeArgument(mode: 2),
    "chmod": ModeArgument(mode: 1), "fchmod": ModeArgument(mode: 1), "fchmodat": ModeArgument(mode: 2),
    "fchmodat2": ModeArgument(mode: 2), "mknod": ModeArgument(mode: 1), "mknodat": ModeArgument(mode: 2),
  ]

  /// Returns whether a rule allows calls to which the mode applies.
  func createsFile(_ rule: SyscallRule) -> Bool {
    guard let flags else { return true }
    return Self.creationFlags.contains { rule.admits($0, inArgument: flags) }
  }
}
