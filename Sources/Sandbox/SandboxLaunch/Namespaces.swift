// SPDX-License-Identifier: Apache-2.0

/// The namespaces that a session gets (namespaces(7)). A user namespace is always created, and a time
/// namespace if the plan has its own clocks.
package struct Namespaces: OptionSet, Sendable {
  /// The kernel's bits.
  package let rawValue: UInt64
  /// Creates a set from the kernel's bits.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Mounts. The corresponding flag is `CLONE_NEWNS`.
  package static let mount = Namespaces(rawValue: 0x0002_0000)
  /// Control groups. The corresponding flag is `CLONE_NEWCGROUP`.
  package static let cgroup = Namespaces(rawValue: 0x0200_0000)
  /// Host and domain name. The corresponding flag is `CLONE_NEWUTS`.
  package static let uts = Namespaces(rawValue: 0x0400_0000)
  /// System V IPC and POSIX message queues. The corresponding flag is `CLONE_NEWIPC`.
  package static let ipc = Namespaces(rawValue: 0x0800_0000)
  /// Processes. The corresponding flag is `CLONE_NEWPID`.
  package static let pid = Namespaces(rawValue: 0x2000_0000)
  /// The network. The corresponding flag is `CLONE_NEWNET`.
  package static let network = Namespaces(rawValue: 0x4000_0000)

  /// The monotonic and boot-time clocks (time_namespaces(7)). The corresponding flag is `CLONE_NEWTIME`.
  static let time = Namespaces(rawValue: 0x0000_0080)

  /// Users. Created first for an unprivileged caller and last for root. The corresponding flag is
  /// `CLONE_NEWUSER`.
  static let user = Namespaces(rawValue: 0x1000_0000)

  /// The namespaces of every session. The rest of the plan determines the user and time namespaces.
  package static let all: Namespaces = [.mount, .cgroup, .uts, .ipc, .pid, .network]
}
