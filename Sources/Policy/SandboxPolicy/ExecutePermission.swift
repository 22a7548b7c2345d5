// SPDX-License-Identifier: Apache-2.0

/// Whether a process of the session can execute other programs.
package enum ExecutePermission: String, CaseIterable, Sendable, Hashable {
  /// Any number of times: every program that its root directory contains.
  case any
  /// Never: the extension's own program is the only one.
  case once
}

extension ExecutePermission {
  /// The corresponding flag is `AT_EMPTY_PATH`.
  package static let emptyPathFlag: UInt32 = 0x1000

  /// The calls that this permission controls; policies cannot name them.
  package static let calls: Set<String> = ["execve", "execveat"]

  /// Returns the rules that let the program start.
  ///
  /// For ``once``, the launcher moves the program's descriptor to the number `descriptors`. The limit of
  /// descriptors keeps that number out of reach for the rest of the session. The filter only allows executing
  /// that number, so the call that starts the extension is the last one that can succeed.
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
