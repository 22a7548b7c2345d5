// SPDX-License-Identifier: Apache-2.0

/// One thing that a program in a sandbox can try, as `darkroom-probe --list` names it.
package struct Attempt: Sendable, Hashable {
  /// Its name.
  package var name: String
  /// The class of attacks that it belongs to, for example `network`.
  package var category: String
  /// What it is given, with names in braces for what only the host knows.
  package var argument: String
  /// What it tries, in a few words.
  package var words: String
  /// The layers that are expected to refuse it, by the names of `Layer`.
  package var layers: [String]
  /// Whether it does no harm where nothing refuses it, and succeeds there.
  package var isProof: Bool

  /// Reads the lines of a list: name, class, argument, words, layers, and perhaps `outside`, with tabs between.
  package static func list(_ text: String) -> [Attempt] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 5, !fields[0].isEmpty else { return nil }
      return Attempt(
        name: fields[0],
        category: fields[1],
        argument: fields[2],
        words: fields[3],
        layers: fields[4].split(separator: ",").map(String.init),
        isProof: fields.dropFirst(5).contains("outside") || proofs.contains(fields[0])
      )
    }
  }

  /// Attempts that every user succeeds with outside a sandbox, that change nothing there and leave nothing.
  private static let proofs: Set = [
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
