// SPDX-License-Identifier: Apache-2.0

/// Whether a process of the session may replace its program.
package enum ExecutePermission: String, CaseIterable, Sendable, Hashable {
  /// As often as it likes: whatever its root shows it.
  case any
  /// Never: the extension's own program is the only one.
  case once
}

extension ExecutePermission {
  /// The corresponding flag is `AT_EMPTY_PATH`.
  package static let emptyPathFlag: UInt32 = 0x1000

  /// The calls that this permission governs; policies cannot name them.
  package static let calls: Set<String> = ["execve", "execveat"]

  /// The rules that let the program start.
  ///
  /// For ``once`` the launcher puts the program's descriptor at the number `descriptors`, which the limit of
  /// descriptors makes unreachable for ever after; executing that number is all that the filter allows, so that
  /// the call that starts the extension is the last that can succeed.
  func rules(descriptors: Int, origin: PolicyOrigin) -> [SyscallRule] {
    switch self {
    case .any:
      [SyscallRule(call: "execve", origin: origin), SyscallRule(call: "execveat", origin: origin)]
    case .once:
      [
        SyscallRule(
          call: "execveat",
          conditions: [
            ArgumentCondition(index: 0, value: UInt32(descriptors)),
            ArgumentCondition(index: 4, value: Self.emptyPathFlag),
          ],
          origin: origin
        )
      ]
    }
  }
}
