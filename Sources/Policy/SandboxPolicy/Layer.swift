// SPDX-License-Identifier: Apache-2.0

/// A layer of the sandbox: each is another mechanism of the kernel.
package enum Layer: String, CaseIterable, Sendable, Hashable {
  /// Users of its own, so that root inside is nobody outside. The corresponding flag is `CLONE_NEWUSER`.
  case userNamespace
  /// Mounts of its own. The corresponding flag is `CLONE_NEWNS`.
  case mountNamespace
  /// Processes of its own. The corresponding flag is `CLONE_NEWPID`.
  case pidNamespace
  /// A network without any interface that is up. The corresponding flag is `CLONE_NEWNET`.
  case networkNamespace
  /// System V objects and POSIX queues of its own. The corresponding flag is `CLONE_NEWIPC`.
  case ipcNamespace
  /// A host name of its own. The corresponding flag is `CLONE_NEWUTS`.
  case utsNamespace
  /// A view of control groups that begins at its own. The corresponding flag is `CLONE_NEWCGROUP`.
  case cgroupNamespace
  /// A monotonic clock of its own. The corresponding flag is `CLONE_NEWTIME`.
  case timeNamespace
  /// A root directory with nothing but what the policy lists (pivot_root(2)).
  case root
  /// The same view of files a second time (landlock(7)).
  case landlock
  /// No capability in any set (capabilities(7)).
  case capabilities
  /// No gain of rights by executing. The corresponding option is `PR_SET_NO_NEW_PRIVS`.
  case noNewPrivileges
  /// The filter of system calls (seccomp(2)).
  case seccomp
  /// Resource limits (setrlimit(2)).
  case limits
  /// Limits of all processes of the session together (cgroups(7)); where there is no group, the host measures them.
  case controlGroup
  /// No descriptor but those of the plan (close_range(2)).
  case descriptors
  /// No host environment, groups, terminal or user names.
  case identity
}

extension Layer {
  /// The layers that a policy may mark as best effort: those whose absence leaves a second layer in place.
  ///
  /// Landlock repeats what the root does; the cgroup and the time namespace hide facts and guard nothing. Without a user
  /// namespace an ordinary user can make none of the others and no root either: the session is restricted to what the
  /// filter and Landlock close, and so Landlock is required then.
  package static let optional: Set<Layer> = [.landlock, .cgroupNamespace, .timeNamespace, .userNamespace]
  /// The layers of which a policy may mark only one: each stands in for the other.
  package static let exclusive: Set<Layer> = [.landlock, .userNamespace]
}
