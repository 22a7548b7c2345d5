// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// An environment in which an unprivileged user cannot create user namespaces: a user namespace with a limit
/// of one nested namespace, in which the command runs.
enum NamespaceRefusal {
  /// The members of a policy that permit sessions without namespaces.
  static let permission =
    #""bestEffort":["userNamespace"],"acceptSingleMechanism":["udp","otherSockets","groupContainers"]"#

  /// The command prefix that enters the environment, or an empty one if the machine already refuses user
  /// namespaces.
  static let commandPrefix: [String] = {
    guard succeeds(TestUser.regular.commandPrefix + ["/usr/bin/unshare", "-U", "true"]) else { return [] }
    let script = """
      echo 1 >/proc/sys/user/max_user_namespaces && exec unshare -U --map-user=1000 --map-group=1000 -- "$@"
      """
    return ["/usr/bin/unshare", "-U", "-r", "--", "/bin/sh", "-c", script, "sh"]
  }()

  /// Whether the environment is available. Otherwise prints the reason.
  static let isAvailable: Bool = {
    let inside = TestUser.regular.commandPrefix + commandPrefix
    if succeeds(inside + ["true"]), !succeeds(inside + ["/usr/bin/unshare", "-U", "true"]) { return true }
    print(
      "SKIP: restricted sessions through the command: /proc/sys/user/max_user_namespaces cannot be lowered"
    )
    return false
  }()

  private static func succeeds(_ arguments: [String]) -> Bool {
    let line = arguments.map { "'\($0)'" }.joined(separator: " ")
    guard let stream = popen("\(line) >/dev/null 2>&1 </dev/null", "r") else { return false }
    return pclose(stream) == 0
  }
}
