// SPDX-License-Identifier: Apache-2.0

/// The options of bwrap(1), classified by their meaning for a session.
enum BubblewrapOption {
  /// Returns the number of values of an option in bubblewrap 0.11, or `nil` if the option is unknown.
  static func arity(_ option: String) -> Int? {
    if withoutValues.contains(option) { return 0 }
    if withOneValue.contains(option) { return 1 }
    if withTwoValues.contains(option) { return 2 }
    return option == "--overlay" ? 3 : nil
  }

  /// The options that are already in effect in every session: separate namespaces, no capabilities, a
  /// separate root, and termination together with the host.
  static let implied: Set<String> = [
    "--unshare-all", "--unshare-user", "--unshare-user-try", "--unshare-ipc", "--unshare-pid",
    "--unshare-net",
    "--unshare-uts", "--unshare-cgroup", "--unshare-cgroup-try", "--die-with-parent", "--new-session",
    "--as-pid-1",
    "--disable-userns", "--assert-userns-disabled", "--uid", "--gid", "--hostname", "--chdir", "--cap-drop",
    "--clearenv",
    "--proc", "--remount-ro", "--argv0", "--level-prefix",
  ]

  /// The options that have no equivalent in a session, with the reason.
  static let unsupported: [String: String] = [
    "--share-net": "a session has no network",
    "--cap-add": "a session has no capabilities",
    "--userns": "a session has its own namespaces",
    "--userns2": "a session has its own namespaces",
    "--pidns": "a session has its own namespaces",
    "--setenv": "the extension's manifest defines the environment, not the policy",
    "--unsetenv": "the extension's manifest defines the environment, not the policy",
    "--exec-label": "SELinux labels are not set",
    "--file-label": "SELinux labels are not set",
    "--overlay": "the root has no overlays", "--ro-overlay": "the root has no overlays",
    "--tmp-overlay": "the root has no overlays", "--overlay-src": "the root has no overlays",
    "--mqueue": "a session has no message queue file system",
    "--lock-file": "a session holds no locks of the host",
    "--sync-fd": "a session has only its own descriptors",
    "--block-fd": "a session has only its own descriptors",
    "--userns-block-fd": "a session has only its own descriptors",
    "--info-fd": "the record contains the status", "--json-status-fd": "the record contains the status",
  ]

  /// The options that create files or mounts in the root, which a session does in its own way or not at all.
  static let rootContents: Set<String> = [
    "--tmpfs", "--dir", "--symlink", "--file", "--bind-data", "--ro-bind-data", "--chmod",
  ]

  /// The options without a value.
  private static let withoutValues: Set<String> = [
    "--unshare-all", "--share-net", "--unshare-user", "--unshare-user-try", "--unshare-ipc", "--unshare-pid",
    "--unshare-net", "--unshare-uts", "--unshare-cgroup", "--unshare-cgroup-try", "--disable-userns",
    "--assert-userns-disabled", "--clearenv", "--new-session", "--die-with-parent", "--as-pid-1",
    "--level-prefix",
  ]

  /// The options with one value.
  private static let withOneValue: Set<String> = [
    "--args", "--argv0", "--userns", "--userns2", "--pidns", "--uid", "--gid", "--hostname", "--chdir",
    "--unsetenv",
    "--lock-file", "--sync-fd", "--remount-ro", "--exec-label", "--file-label", "--proc", "--dev", "--tmpfs",
    "--mqueue",
    "--dir", "--seccomp", "--add-seccomp-fd", "--block-fd", "--userns-block-fd", "--info-fd",
    "--json-status-fd",
    "--cap-add", "--cap-drop", "--perms", "--size", "--overlay-src", "--tmp-overlay", "--ro-overlay",
  ]

  /// The options with two values.
  private static let withTwoValues: Set<String> = [
    "--setenv", "--bind", "--bind-try", "--dev-bind", "--dev-bind-try", "--ro-bind", "--ro-bind-try",
    "--file",
    "--bind-data", "--ro-bind-data", "--symlink", "--chmod", "--bind-fd", "--ro-bind-fd",
  ]
}
