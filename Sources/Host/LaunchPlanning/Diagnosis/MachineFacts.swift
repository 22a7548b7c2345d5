// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SandboxLaunch

/// The facts about a machine and a user that explain launch failures.
///
/// The type is a value: ``MachineReader`` fills it from the running system, and tests set it directly. The
/// default values describe a machine on which launches succeed.
package struct MachineFacts: Sendable, Hashable {
  /// The kernel's release.
  package var kernel = "6.18.0"
  /// The machine architecture as uname(2) reports it.
  package var machine = "x86_64"
  /// The effective UID.
  package var user: UInt32 = 1000
  /// The identity of sessions outside their user namespace.
  package var identity = LaunchPlan.Identity.caller
  /// The effective capabilities as the kernel's bit mask.
  package var capabilities: UInt64 = 0
  /// The securebits of this process (capabilities(7)).
  package var securebits: UInt32 = 0
  /// The system call filters that other programs have installed on this process, and their owner.
  package var filter = InheritedFilter()
  /// The system calls that a filter outside Darkroom refuses.
  package var refusedCalls = RefusedCalls()
  /// Whether `/proc` is mounted.
  package var hasProc = true
  /// The mount points below `/proc`, each of which hides a part of it.
  package var maskedProcPaths: [String] = []
  /// Whether the kernel reports mount IDs that it never reuses (listmount(2), Linux 6.8).
  package var hasUniqueMountIDs = true
  /// Whether the root of this process differs from the root of its mount namespace.
  package var isInChroot = false
  /// The kinds of namespaces that the kernel supports, as named in `/proc/self/ns`.
  package var namespaces: Set<String> = ["cgroup", "ipc", "mnt", "net", "pid", "time", "user", "uts"]
  /// The maximum number of namespaces per kind for this user, by the kernel's names
  /// (`user.max_*_namespaces`).
  package var namespaceLimits: [String: Int] = [:]
  /// Debian's setting `kernel.unprivileged_userns_clone`, or `nil` if the kernel does not have it.
  package var unprivilegedUserNamespaces: Int?
  /// Ubuntu's setting `kernel.apparmor_restrict_unprivileged_userns`, or `nil` if the kernel does not have
  /// it.
  package var appArmorRestriction: Int?
  /// The state of SELinux, or `nil` if it is off or absent.
  package var seLinux: SELinux?
  /// The kernel's support for Landlock.
  package var landlock = Landlock.abi(7)
  /// The active security modules in order, or `nil` if the kernel does not show them.
  package var securityModules: [String]?
  /// The actions of seccomp filters (`kernel.seccomp.actions_avail`), or `nil` if the kernel has no filters.
  package var filterActions: [String]? = ["kill_process", "errno", "user_notif", "allow"]
  /// The version of libseccomp.
  package var libseccomp = "2.5.4"
  /// The system calls that Darkroom's table contains and libseccomp does not know.
  package var callsUnknownToLibrary: [String] = []
  /// The hard limits of this process.
  package var hardLimits: [Resource: UInt64] = [:]
  /// The soft limit on open descriptors of this process.
  package var descriptorSoftLimit: UInt64 = 1024
  /// The active swap files and devices.
  package var swaps: [String] = []
  /// The path of the `darkroom` executable.
  package var executable = "/usr/bin/darkroom"
  /// Whether this user may read `/usr`.
  package var isUsrReadable = true
  /// The location of the state root, or `nil` if it is unknown.
  package var stateRoot: StorageLocation?

  /// Creates facts about a machine on which launches succeed.
  package init() {}
}

extension MachineFacts {
  /// The kernel's answer to a query for its Landlock ABI version.
  package enum Landlock: Sendable, Hashable {
    /// The ABI version.
    case abi(Int)
    /// The query failed. `ENOSYS`: Landlock is not built in. `EOPNOTSUPP`: it is built in but not active.
    case refused(Errno)

    /// The ABI version, or 0 without Landlock.
    package var version: Int {
      if case .abi(let version) = self { version } else { 0 }
    }
  }

  /// The state of SELinux.
  package struct SELinux: Sendable, Hashable {
    /// Whether SELinux enforces its policy; otherwise it only logs (permissive mode).
    package var isEnforcing: Bool
    /// The security context of this process.
    package var context: String
    /// The SELinux booleans about user namespaces, with their values.
    package var booleans: [String: Bool]

    /// Creates a description of SELinux.
    package init(isEnforcing: Bool, context: String, booleans: [String: Bool] = [:]) {
      self.isEnforcing = isEnforcing
      self.context = context
      self.booleans = booleans
    }
  }

  /// A directory for state, and its file system.
  package struct StorageLocation: Sendable, Hashable {
    /// The path of the directory.
    package var path: String
    /// The type of the file system, for example `ext4`.
    package var fileSystem: String
    /// The mount flags of the file system.
    package var flags: MountFlags
    /// The free space for an unprivileged user, in bytes.
    package var free: UInt64
    /// The space that is reserved and never used by sessions, in bytes.
    package var reserve: UInt64 = 0
    /// The number of items that are waiting to be deleted.
    package var trash = 0
    /// The subdirectories that are on another file system.
    package var elsewhere: [String]

    /// Creates a description of a directory and its file system.
    package init(
      path: String,
      fileSystem: String = "ext4",
      flags: MountFlags = [],
      free: UInt64 = 1 << 40,
      elsewhere: [String] = []
    ) {
      self.path = path
      self.fileSystem = fileSystem
      self.flags = flags
      self.free = free
      self.elsewhere = elsewhere
    }
  }
}
