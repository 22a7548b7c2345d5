// SPDX-License-Identifier: Apache-2.0

/// A layer of the sandbox. Each layer is a separate mechanism of the kernel.
package enum Layer: String, CaseIterable, Sendable, Hashable {
  /// A user namespace: root inside has no privileges outside. The corresponding flag is `CLONE_NEWUSER`.
  case userNamespace
  /// A mount namespace. The corresponding flag is `CLONE_NEWNS`.
  case mountNamespace
  /// A PID namespace. The corresponding flag is `CLONE_NEWPID`.
  case pidNamespace
  /// A network namespace in which all interfaces are down. The corresponding flag is `CLONE_NEWNET`.
  case networkNamespace
  /// A namespace for System V IPC objects and POSIX message queues. The corresponding flag is `CLONE_NEWIPC`.
  case ipcNamespace
  /// A namespace for the host name. The corresponding flag is `CLONE_NEWUTS`.
  case utsNamespace
  /// A namespace in which the session's control group is the root. The corresponding flag is
  /// `CLONE_NEWCGROUP`.
  case cgroupNamespace
  /// A namespace for the monotonic clock. The corresponding flag is `CLONE_NEWTIME`.
  case timeNamespace
  /// A root directory that contains only what the policy lists (pivot_root(2)).
  case root
  /// Landlock rules that repeat the restrictions of the root directory (landlock(7)).
  case landlock
  /// Empty capability sets (capabilities(7)).
  case capabilities
  /// No new privileges through execve(2). The corresponding option is `PR_SET_NO_NEW_PRIVS`.
  case noNewPrivileges
  /// The filter of system calls (seccomp(2)).
  case seccomp
  /// Resource limits (setrlimit(2)).
  case limits
  /// Limits of all processes of the session together (cgroups(7)). Without a control group, the host measures
  /// the usage.
  case controlGroup
  /// No descriptors other than those of the launch plan (close_range(2)).
  case descriptors
  /// No environment, groups, terminal or user names of the host.
  case identity
}

extension Layer {
  /// The layers that a policy may mark as best effort, because another layer remains in place without them.
  ///
  /// Landlock repeats what the root directory does. The cgroup and time namespaces hide information and
  /// protect nothing. Without a user namespace, an unprivileged user can create neither the other namespaces
  /// nor the root directory. Landlock is therefore required if the user namespace is best effort: it
  /// restricts the session together with the filter.
  package static let optional: Set<Layer> = [.landlock, .cgroupNamespace, .timeNamespace, .userNamespace]
  /// The layers of which a policy may mark only one as best effort, because each replaces the other.
  package static let exclusive: Set<Layer> = [.landlock, .userNamespace]
}
