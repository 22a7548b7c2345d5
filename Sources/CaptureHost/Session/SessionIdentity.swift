// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

/// Who extensions are outside their sandbox.
enum SessionIdentity {
  /// The user that extensions are when the host is root: one that no system gives to anybody.
  ///
  /// Systems give people users below 60000, services below 65536, and containers those from 524288 to 1879048191
  /// (systemd's "Users, Groups, UIDs and GIDs"); this is the first above them.
  private static let nobodyElse: UInt32 = 1_879_048_192

  /// Root gives extensions a user that is nobody else; anybody else can only give what they are, and so can the root
  /// of a user namespace that holds no such user.
  static var identity: LaunchPlan.Identity {
    CurrentProcess.effectiveUserID == 0 && hasNobodyElse
      ? .other(user: nobodyElse, group: nobodyElse) : .caller
  }

  /// Whether this user namespace has the user and the group.
  private static var hasNobodyElse: Bool {
    ["uid_map", "gid_map"].allSatisfy { name in
      // Without /proc nothing can be launched anyway; that is told by the launch.
      guard let text = try? FileSystem.contents("/proc/self/\(name)") else { return true }
      return holds(nobodyElse, map: String(decoding: text, as: UTF8.self))
    }
  }

  /// Whether an identity stands in a map of a user namespace: lines of first inside, first outside, count.
  static func holds(_ identity: UInt32, map: String) -> Bool {
    map.split(separator: "\n").contains { line in
      let numbers = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap { UInt64($0) }
      return numbers.count == 3 && (numbers[0]..<numbers[0] + numbers[2]).contains(UInt64(identity))
    }
  }

  /// The owner of the session content directory while the extension runs; nil: the host itself.
  static var contentOwner: ContentOwner? {
    guard case .other(let user, let group) = identity else { return nil }
    return ContentOwner(user: user, group: group)
  }
}
