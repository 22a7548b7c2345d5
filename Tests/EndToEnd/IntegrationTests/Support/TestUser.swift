// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

/// A user that runs Darkroom in the tests.
enum TestUser: String, CaseIterable, CustomTestStringConvertible {
  /// The superuser.
  case root
  /// A user without privileges.
  case regular = "ordinary"

  /// The UID and GID of the unprivileged user if the tests run as root.
  static let regularUserID: UInt32 = 54_321

  /// The users that the tests can run as.
  static let available: [TestUser] = {
    if CurrentProcess.effectiveUserID == 0 { return allCases }
    print(
      "SKIP: half of the integration tests: only root can also try what root has; run the tests as root, too"
    )
    return [.regular]
  }()

  /// Whether the tests run as root.
  static var hasRoot: Bool { available.contains(.root) }

  /// The user's name in test titles.
  var testDescription: String { rawValue }

  /// The command prefix that switches to this user.
  var commandPrefix: [String] {
    guard self == .regular, Self.hasRoot else { return [] }
    let id = "\(Self.regularUserID)"
    return ["/usr/bin/setpriv", "--reuid=\(id)", "--regid=\(id)", "--clear-groups", "--"]
  }
}
