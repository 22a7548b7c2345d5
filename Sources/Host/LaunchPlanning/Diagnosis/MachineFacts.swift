// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SandboxLaunch

/// What there is to know of a machine and a user before anybody explains why a sandbox cannot be made.
///
/// A value: ``MachineReader`` fills it from the running system, tests make it up. The standard values are those of a
/// machine on which nothing stands in the way.
package struct MachineFacts: Sendable, Hashable {
  /// The kernel's release.
  package var kernel = "6.18.0"
  /// The kernel's name for the machine.
  package var machine = "x86_64"
  /// The effective user.
  package var user: UInt32 = 1000
  /// Who sessions are outside.
  package var identity = LaunchPlan.Identity.caller
  /// The effective capabilities, as the kernel's bits.
  package var capabilities: UInt64 = 0
  /// What root means for this process, as the kernel's bits.
  package var securebits: UInt32 = 0
  /// The system call filters that other programs have put on this process, and whose they are.
  package var filter = SurroundingFilter()
  /// The system calls that something around this process refuses.
  package var refusedCalls = RefusedCalls()
  /// Whether `/proc` is mounted.
  package var hasProc = true
  /// The mount points below `/proc`, which cover a part of it.
  package var overMountedProc: [String] = []
  /// Whether the kernel tells the numbers of mounts that it never gives again (listmount(2)).
  package var numbersMounts = true
  /// Whether the root of this process is not that of its mount namespace.
  package var isInChroot = false
  /// The namespaces that the kernel knows, as in `/proc/self/ns`.
  package var namespaces: Set<String> = ["cgroup", "ipc", "mnt", "net", "pid", "time", "user", "uts"]
  /// How many namespaces of a kind this user may make, by the kernel's names (`user.max_…_namespaces`).
  package var namespaceLimits: [String: Int] = [:]
  /// Debian's switch `kernel.unprivileged_userns_clone`; nil where there is none.
  package var unprivilegedUserNamespaces: Int?
  /// Ubuntu's switch `kernel.apparmor_restrict_unprivileged_userns`; nil where there is none.
  package var appArmorRestriction: Int?
  /// How SELinux stands; nil where it is off or absent.
  package var seLinux: SELinux?
  /// What the kernel says of Landlock.
  package var landlock = Landlock.abi(7)
  /// The security modules that are active, in order; nil where the kernel does not show them.
  package var securityModules: [String]?
  /// What a filter can answer (`kernel.seccomp.actions_avail`); nil: the kernel has no filters.
  package var filterActions: [String]? = ["kill_process", "errno", "user_notif", "allow"]
  /// The version of libseccomp.
  package var libseccomp = "2.5.4"
  /// The calls that our table has and libseccomp has not.
  package var callsWithoutLibrary: [String] = []
  /// The hard limits of this process.
  package var hardLimits: [Resource: UInt64] = [:]
  /// How many descriptors this process may have now.
  package var descriptorsNow: UInt64 = 1024
  /// Where memory can be written to.
  package var swaps: [String] = []
  /// The path of the command.
  package var executable = "/usr/bin/darkroom"
  /// Whether this user may read `/usr`.
  package var isUsrReadable = true
  /// Where the state is kept; nil: nobody says where.
  package var stateRoot: Place?

  /// A machine on which nothing stands in the way.
  package init() {}
}

extension MachineFacts {
  /// What the kernel answers to the question which Landlock it has.
  package enum Landlock: Sendable, Hashable {
    /// This version of the interface.
    case abi(Int)
    /// `ENOSYS`: not built in; `EOPNOTSUPP`: built in, and not active.
    case refused(Errno)

    /// The version; 0 for none.
    package var version: Int {
      if case .abi(let version) = self { version } else { 0 }
    }
  }

  /// How SELinux stands.
  package struct SELinux: Sendable, Hashable {
    /// Whether it refuses, or only notes.
    package var isEnforcing: Bool
    /// The context of this process.
    package var context: String
    /// The switches of the policy that have to do with user namespaces, with their values.
    package var booleans: [String: Bool]

    /// Describes it.
    package init(isEnforcing: Bool, context: String, booleans: [String: Bool] = [:]) {
      self.isEnforcing = isEnforcing
      self.context = context
      self.booleans = booleans
    }
  }

  /// A place where files are kept.
  package struct Place: Sendable, Hashable {
    /// The path.
    package var path: String
    /// The type of the file system, for example `ext4`.
    package var fileSystem: String
    /// What holds on it.
    package var flags: MountFlags
    /// How many bytes an ordinary user can still take.
    package var free: UInt64
    /// How many bytes of it no session takes.
    package var reserve: UInt64 = 0
    /// How many things in it wait for their deletion.
    package var trash = 0
    /// The directories in it that are on another file system.
    package var elsewhere: [String]

    /// Describes a place.
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
