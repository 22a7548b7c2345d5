// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SandboxLaunch
package import SessionStore

/// Who extensions are outside their sandbox.
package enum SessionIdentity {
  /// The users that extensions are when the host is root: such as no system gives to anybody.
  ///
  /// Systems give people users below 60000, services below 65536, and containers those from 524288 to 1879048191
  /// (systemd's "Users, Groups, UIDs and GIDs"); these are the first above them.
  private static let nobodyElse: ClosedRange<UInt32> = 1_879_048_192...1_879_113_727

  /// The identity for one session.
  ///
  /// Root gives each session a user of its own, by lot: what the kernel counts by user (inotify(7), keyrings(7), pending
  /// signals) one session cannot use up for another, or for anybody. Anybody else can only give what they are, and so can
  /// the root of a user namespace that holds no such users.
  package static func forOneSession() -> LaunchPlan.Identity {
    guard CurrentProcess.effectiveUserID == 0, hasNobodyElse else { return .caller }
    let user = UInt32.random(in: nobodyElse)
    return .other(user: user, group: user)
  }

  /// Whether this user namespace has the users and the groups. Its maps are written once (user_namespaces(7)).
  private static let hasNobodyElse: Bool =
    ["uid_map", "gid_map"].allSatisfy { name in
      // Without /proc nothing can be launched anyway; that is told by the launch.
      guard let text = try? FileSystem.contents("/proc/self/\(name)") else { return true }
      let map = String(decoding: text, as: UTF8.self)
      return holds(nobodyElse.lowerBound, map: map) && holds(nobodyElse.upperBound, map: map)
    }

  /// Whether an identity stands in a map of a user namespace: lines of first inside, first outside, count.
  static func holds(_ identity: UInt32, map: String) -> Bool {
    map.split(separator: "\n").contains { line in
      let numbers = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap { UInt64($0) }
      return numbers.count == 3 && (numbers[0]..<numbers[0] + numbers[2]).contains(UInt64(identity))
    }
  }
}

extension LaunchPlan.Identity {
  /// The owner of the session content directory while the extension runs; nil: the host itself.
  package var contentOwner: ContentOwner? {
    guard case .other(let user, let group) = self else { return nil }
    return ContentOwner(user: user, group: group)
  }
}
