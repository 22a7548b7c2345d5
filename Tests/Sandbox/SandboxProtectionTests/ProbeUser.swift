// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// The user that launches sessions.
enum ProbeUser: String, CaseIterable, Sendable, CustomTestStringConvertible {
  /// Root.
  case root
  /// An unprivileged user: if the tests run as root, a user that owns nothing else.
  case unprivileged = "ordinary"

  var testDescription: String { rawValue }

  /// The users that the tests can run as; root can run as both.
  static let available: [ProbeUser] = allCases.filter(\.isAvailable)

  /// Whether an unprivileged user can create the namespaces of a session.
  static let canRunUnprivileged = succeeds(ProbeUser.unprivileged.commandPrefix + "unshare -U -m true")

  private var isAvailable: Bool {
    switch self {
    case .root: geteuid() == 0
    case .unprivileged: Self.canRunUnprivileged
    }
  }

  /// The command prefix that runs a command as this user.
  var commandPrefix: String {
    self == .unprivileged && geteuid() == 0
      ? "setpriv --reuid=\(identifier) --regid=\(identifier) --clear-groups " : ""
  }

  /// The UID.
  var identifier: UInt32 { self == .unprivileged && geteuid() == 0 ? 65534 : geteuid() }

  /// Whether a command exits with 0.
  private static func succeeds(_ command: String) -> Bool {
    guard let stream = popen("\(command) >/dev/null 2>&1 </dev/null", "r") else { return false }
    return pclose(stream) == 0
  }
}
