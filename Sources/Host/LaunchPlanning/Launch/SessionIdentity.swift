// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SandboxLaunch
package import SessionStore

/// The UID and GID of sessions outside their user namespace.
package enum SessionIdentity {
  /// The UIDs of sessions of a root host. No other system component assigns them.
  ///
  /// Systems assign users UIDs below 60000, services UIDs below 65536, and containers UIDs from 524288 to
  /// 1879048191 (systemd's "Users, Groups, UIDs and GIDs"). These are the next higher UIDs.
  private static let sessionUIDs: ClosedRange<UInt32> = 1_879_048_192...1_879_113_727

  /// Returns the identity for one session.
  ///
  /// Root assigns each session a random UID, because the kernel limits some resources per UID (inotify(7),
  /// keyrings(7), pending signals). So one session cannot exhaust the resources of another session or user.
  /// An unprivileged host can only assign its own UID, as can root in a user namespace without these UIDs, and
  /// root without ``isAdministrator``.
  package static func forOneSession() -> LaunchPlan.Identity {
    guard CurrentProcess.effectiveUserID == 0, isAdministrator, mapsSessionUIDs else { return .caller }
    let user = UInt32.random(in: sessionUIDs)
    return .other(user: user, group: user)
  }

  /// Whether this process may mount file systems, create namespaces and set their clocks without a user
  /// namespace. The corresponding capabilities are `CAP_SYS_ADMIN` and `CAP_SYS_TIME`, which root lacks in a
  /// container with the default settings.
  package static let isAdministrator: Bool = {
    let status = KernelFiles.text("/proc/thread-self/status") ?? ""
    let capabilities = KernelFiles.field("CapEff", of: status).flatMap { UInt64($0, radix: 16) }
    // Without /proc no session can be launched, and the launch reports the reason.
    guard let capabilities else { return CurrentProcess.effectiveUserID == 0 }
    let required = systemAdministration | (SessionClocks.areSupported ? timeAdministration : 0)
    return capabilities & required == required
  }()

  /// The bit of `CAP_SYS_ADMIN` in the kernel's bit mask of capabilities.
  package static let systemAdministration: UInt64 = 1 << 21
  /// The bit of `CAP_SYS_TIME`.
  private static let timeAdministration: UInt64 = 1 << 25

  /// Whether the host's user namespace contains these UIDs and GIDs. The maps of a namespace are written once
  /// (user_namespaces(7)).
  private static let mapsSessionUIDs: Bool =
    ["uid_map", "gid_map"].allSatisfy { name in
      // Without /proc no session can be launched, and the launch reports the reason.
      guard let text = try? FileSystem.contents("/proc/self/\(name)") else { return true }
      let map = String(decoding: text, as: UTF8.self)
      return contains(sessionUIDs.lowerBound, map: map) && contains(sessionUIDs.upperBound, map: map)
    }

  /// Returns whether a UID or GID map contains an ID. Each line has the first ID inside, the first ID
  /// outside, and the count.
  static func contains(_ identity: UInt32, map: String) -> Bool {
    map.split(separator: "\n").contains { line in
      let numbers = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap { UInt64($0) }
      return numbers.count == 3 && (numbers[0]..<numbers[0] + numbers[2]).contains(UInt64(identity))
    }
  }
}

extension LaunchPlan.Identity {
  /// The owner of the session content directory while the extension runs, or `nil` for the host's user.
  package var contentOwner: ContentOwner? {
    guard case .other(let user, let group) = self else { return nil }
    return ContentOwner(user: user, group: group)
  }
}
