// SPDX-License-Identifier: Apache-2.0

/// An attempt that a program in a sandbox can make, as listed by `darkroom-probe --list`.
package struct Attempt: Sendable, Hashable {
  package var name: String
  /// The class of attacks, for example `network`.
  package var category: String
  /// The argument, with placeholders in braces for values that only the host knows.
  package var argument: String
  /// A short description.
  package var summary: String
  /// The layers that are expected to block the attempt, by the names of `Layer`.
  package var layers: [String]
  /// Whether the attempt succeeds without a sandbox and does no harm there.
  package var isHarmlessOutside: Bool

  /// The classes of the attempts.
  package static let categories = [
    "conventions", "network", "files", "processes", "kernel", "leaks", "resources", "state",
  ]

  /// Returns whether the names and the classes select the attempt. An empty list selects all attempts.
  package func isSelected(names: [String], categories: [String]) -> Bool {
    (names.isEmpty || names.contains(name)) && (categories.isEmpty || categories.contains(category))
  }

  /// Parses the lines of a list. The tab-separated fields are name, class, argument, description, layers, and
  /// optionally `outside`.
  package static func list(_ text: String) -> [Attempt] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 5, !fields[0].isEmpty else { return nil }
      return Attempt(
        name: fields[0],
        category: fields[1],
        argument: fields[2],
        summary: fields[3],
        layers: fields[4].split(separator: ",").map(String.init),
        isHarmlessOutside: fields.dropFirst(5).contains("outside") || harmlessOutside.contains(fields[0])
      )
    }
  }

  /// The attempts that succeed for every user outside a sandbox, change nothing there and leave nothing
  /// behind.
  private static let harmlessOutside: Set = [
    "socket", "socketpair-datagrams", "socketpair-raw", "send-path", "send-abstract", "send-out-of-band",
    "message-out-of-band", "attach-filter", "enlarge-buffer", "connect-tcp", "connect-abstract",
    "connect-path", "read", "stat",
    "unshare-files",
    "ptrace-traceme", "name_to_handle_at", "listmount", "personality-no-randomization",
    "personality-read-implies-execute", "setfsuid", "adjtimex", "clock_adjtime",
    "kill-process", "other-processes", "attach-memory", "namespace-cgroup", "namespace-ipc",
    "namespace-mount",
    "namespace-network", "namespace-pid", "namespace-user", "namespace-uts", "no-filter", "identity",
    "host-name",
    "clock-boot", "sysinfo-uptime",
  ]
}
