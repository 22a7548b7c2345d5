// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxEnforcement
internal import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

/// Reads facts about the running machine. It changes nothing and draws no conclusions.
package enum MachineReader {
  /// Returns all facts that can be read. The state root is not created.
  package static func read(stateRoot: StateRoot?) -> MachineFacts {
    let kernel = KernelRelease.running
    let status = KernelFiles.text("/proc/self/status") ?? ""
    let mounts = MountLine.all(KernelFiles.text("/proc/self/mountinfo") ?? "")
    var facts = MachineFacts()
    facts.kernel = kernel.description
    facts.machine = kernel.machine
    facts.user = CurrentProcess.effectiveUserID
    facts.identity = SessionIdentity.forOneSession()
    facts.capabilities = KernelFiles.field("CapEff", of: status).flatMap { UInt64($0, radix: 16) } ?? 0
    facts.securebits = CurrentProcess.securebits
    facts.filter = .current
    facts.refusedCalls = .current
    facts.hasProc = !status.isEmpty
    facts.maskedProcPaths = mounts.map(\.target).filter { $0.hasPrefix("/proc/") }
    facts.hasUniqueMountIDs = MountState.isAvailable
    facts.isInChroot = isInChroot(mounts)
    facts.landlock = landlock
    facts.securityModules = KernelFiles.firstLine("/sys/kernel/security/lsm").map {
      $0.split(separator: ",").map(String.init)
    }
    facts.filterActions = KernelFiles.firstLine("/proc/sys/kernel/seccomp/actions_avail").map {
      $0.split(separator: " ").map(String.init)
    }
    facts.executable = (try? CurrentProcess.executablePath()) ?? facts.executable
    facts.isUsrReadable = FileSystem.isReadable("/usr")
    readNamespaces(&facts)
    readLimits(&facts)
    readLibrary(&facts)
    facts.stateRoot = stateRoot.flatMap { place($0, mounts) }
    return facts
  }

  /// Returns whether the process is in a chroot: its root differs from the root of process 1, or is not a
  /// mount point.
  private static func isInChroot(_ mounts: [MountLine]) -> Bool {
    if let own = try? FileSystem.open("/", [.path]).status(),
      let first = try? FileSystem.open("/proc/1/root/", [.path]).status(),
      (own.device, own.inode) != (first.device, first.inode)
    {
      return true
    }
    return !mounts.isEmpty && !mounts.contains { $0.target == "/" }
  }

  /// The kernel's answer to a query for its Landlock version.
  private static var landlock: MachineFacts.Landlock {
    do { return .abi(try LandlockVersion.abi()) } catch { return .refused(error.errno) }
  }

  /// Reads the settings that can forbid namespaces.
  private static func readNamespaces(_ facts: inout MachineFacts) {
    facts.namespaces = Set((try? FileSystem.names(in: "/proc/self/ns")) ?? [])
    for kind in ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time"] {
      facts.namespaceLimits[kind] = KernelFiles.integer("/proc/sys/user/max_\(kind)_namespaces")
    }
    facts.unprivilegedUserNamespaces = KernelFiles.integer("/proc/sys/kernel/unprivileged_userns_clone")
    facts.appArmorRestriction = KernelFiles.integer("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    guard let enforcing = KernelFiles.integer("/sys/fs/selinux/enforce") else { return }
    var booleans: [String: Bool] = [:]
    for name in (try? FileSystem.names(in: "/sys/fs/selinux/booleans")) ?? [] where name.contains("userns") {
      booleans[name] = KernelFiles.firstLine("/sys/fs/selinux/booleans/\(name)")?.hasPrefix("1")
    }
    facts.seLinux = .init(
      isEnforcing: enforcing == 1,
      context: KernelFiles.firstLine("/proc/self/attr/current") ?? "unknown",
      booleans: booleans
    )
  }

  /// Reads the resource limits of this process.
  private static func readLimits(_ facts: inout MachineFacts) {
    for resource in Resource.allCases {
      facts.hardLimits[resource] = CurrentProcess.hardLimit(of: resource.rawValue)
    }
    facts.descriptorSoftLimit = CurrentProcess.softLimit(of: Resource.descriptors.rawValue) ?? 1024
    let swaps = (KernelFiles.text("/proc/swaps") ?? "").split(separator: "\n").dropFirst()
    facts.swaps = swaps.compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  /// Reads the system calls that libseccomp knows.
  private static func readLibrary(_ facts: inout MachineFacts) {
    facts.libseccomp = LibseccompSystemCalls.version
    let table = SystemCallTable.native
    facts.callsUnknownToLibrary = table.names.sorted { $0.key < $1.key }.map(\.value).filter {
      LibseccompSystemCalls.number(of: $0, on: .native) == nil
    }
  }

  /// Returns facts about the state root or, if it does not exist yet, its future location.
  private static func place(_ root: StateRoot, _ mounts: [MountLine]) -> MachineFacts.StorageLocation? {
    let path = nearestExistingDirectory(root.path)
    guard let free = try? FileSystem.freeSpace(path), let flags = try? FileSystem.mountFlags(path) else {
      return nil
    }
    let device = (try? FileSystem.open(path, [.path]).status().device)
    let parts = ["apps", "groups", "sessions", "trash"].filter { name in
      guard let status = try? FileSystem.open("\(root.path)/\(name)", [.path]).status() else { return false }
      return status.device != device
    }
    let fileSystem = MountLine.containing(path, in: mounts)?.fileSystem ?? "unknown"
    var place = MachineFacts.StorageLocation(
      path: root.path,
      fileSystem: fileSystem,
      flags: flags,
      free: free,
      elsewhere: parts
    )
    let quota = (try? QuotaStore(root).read()) ?? StorageQuota()
    place.reserve = UInt64(max(0, quota.reserve(of: (try? FileSystemSpace.of(path))?.total ?? 0).bytes))
    place.trash = (try? Trash(root).pendingNames().count) ?? 0
    return place
  }

  /// Returns the real path of the nearest existing ancestor directory.
  private static func nearestExistingDirectory(_ path: String) -> String {
    var path = path
    while true {
      if let real = try? FileSystem.realPath(path) { return real }
      if path == "/" { return path }
      path = FileSystem.directoryName(path)
    }
  }
}
