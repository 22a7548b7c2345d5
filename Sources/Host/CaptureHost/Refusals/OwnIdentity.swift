// SPDX-License-Identifier: Apache-2.0

internal import SandboxLaunch
internal import SandboxPolicy

/// Recognizes calls that set IDs which every process of the session already has (setuid(2)).
///
/// Programs that drop privileges make such calls and exit if they fail. Nothing in a session can change an
/// ID, so the call would have no effect, and the host can report success without the kernel.
struct OwnIdentity: Sendable {
  /// The user ID and group ID of every process of the session.
  let id = LaunchPlan.innerUser
  /// The corresponding constant is `(uid_t) -1`.
  private static let unchanged = UInt32.max

  private static let calls: [(name: String, count: Int)] = [
    ("setuid", 1), ("setgid", 1), ("setreuid", 2), ("setregid", 2), ("setresuid", 3), ("setresgid", 3),
  ]
  /// The number of IDs that a call sets, by the number of the call.
  private let counts = [Int: Int](
    uniqueKeysWithValues: calls.compactMap { call in
      SystemCallTable.number(of: call.name).map { ($0, call.count) }
    }
  )

  /// Returns whether a call sets only IDs that the process already has.
  func isKept(by call: RefusalListener.WaitingCall) -> Bool {
    guard let count = counts[call.number] else { return false }
    return call.arguments.prefix(count).allSatisfy { argument in
      let wanted = UInt32(truncatingIfNeeded: argument)
      // -1 leaves an ID unchanged, except for the calls that set only one ID.
      return wanted == id || count > 1 && wanted == Self.unchanged
    }
  }
}
