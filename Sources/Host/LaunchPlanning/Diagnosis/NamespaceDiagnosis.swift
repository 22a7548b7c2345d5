// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy

/// Finds causes for namespaces that cannot be created or used.
enum NamespaceDiagnosis {
  /// Returns all possible causes on this machine, most certain first.
  static func causes(of step: LaunchObstacle.Step, _ facts: MachineFacts) -> [Cause] {
    switch step.errno {
    case .noSpace: limits(facts)
    case .notImplemented: missingCall(facts)
    case .invalidArgument where [.userNamespace, .networkNamespace].contains(step.layer): missingKinds(facts)
    case .invalidArgument where facts.isInChroot: [chroot]
    case .notPermitted, .permissionDenied: refusals(step, facts)
    default: []
    }
  }

  /// The layer that each kind of namespace provides, by the kernel's names.
  private static let layers: [String: Layer] = [
    "cgroup": .cgroupNamespace, "ipc": .ipcNamespace, "mnt": .mountNamespace, "net": .networkNamespace,
    "pid": .pidNamespace, "time": .timeNamespace, "user": .userNamespace, "uts": .utsNamespace,
  ]

  /// Returns the causes of `ENOSPC`: the limit on namespaces is reached here or in an outer user namespace.
  private static func limits(_ facts: MachineFacts) -> [Cause] {
    let exhausted = facts.namespaceLimits.filter { $0.value == 0 }.keys.sorted()
    guard !exhausted.isEmpty else {
      return [
        Cause(
          "a limit on namespaces is reached, in this user namespace or in an ancestor",
          .sysctl(
            "user.max_user_namespaces",
            15_000,
            "Raise this limit, and the other max_*_namespaces, where it is set"
          ),
          Fix("List the namespaces and their processes", ["lsns --type user"])
        )
      ]
    }
    return exhausted.map { kind in
      let name = "user.max_\(kind)_namespaces"
      return Cause(
        "\(name) is 0: namespaces of this kind cannot be created in this user namespace",
        .sysctl(
          name,
          15_000,
          "Allow them; the default is half the number of threads that the kernel allows"
        ),
        layer: layers[kind]
      )
    }
  }

  /// Returns the causes of `ENOSYS`: the kernel lacks clone3, or a filter refuses it with this error.
  private static func missingCall(_ facts: MachineFacts) -> [Cause] {
    facts.filter.count > 0
      ? [CallDiagnosis.filtered(facts)]
      : [Cause("Linux \(facts.kernel) has no clone3", Fix("Run Linux 6.1 or newer"))]
  }

  /// Returns the causes of `EINVAL`: the kernel does not support a kind of namespace.
  private static func missingKinds(_ facts: MachineFacts) -> [Cause] {
    let kinds = ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"]
    return kinds.filter { !facts.namespaces.contains($0) }.map { kind in
      let option = kind == "mnt" ? "NAMESPACES" : "\(kind.uppercased())_NS"
      return Cause(
        "Linux \(facts.kernel) was built without namespaces of the kind '\(kind)'",
        Fix("Run a kernel that was built with CONFIG_\(option)=y"),
        layer: layers[kind]
      )
    }
  }

  /// Returns the causes of `EPERM` and `EACCES`: a setting, security module or filter refuses the operation.
  private static func refusals(_ step: LaunchObstacle.Step, _ facts: MachineFacts) -> [Cause] {
    var causes: [Cause] = []
    if facts.unprivilegedUserNamespaces == 0 && facts.identity == .caller { causes.append(debian) }
    if facts.appArmorRestriction == 1 && facts.identity == .caller { causes.append(appArmor(facts)) }
    if facts.isInChroot { causes.append(chroot) }
    if facts.user == 0, facts.capabilities & SessionIdentity.systemAdministration == 0 {
      causes.append(unprivilegedRoot(facts))
    }
    if facts.filter.count > 0 { causes.append(CallDiagnosis.filtered(facts)) }
    if let seLinux = facts.seLinux, seLinux.isEnforcing { causes.append(refused(by: seLinux)) }
    // An unprivileged user may be unable to compare this process's root with that of process 1.
    let isAllowed = facts.namespaceLimits["user"].map { $0 > 0 } == true
    if causes.isEmpty, step.layer == .userNamespace, isAllowed { causes.append(suspectedChroot) }
    return causes
  }

  /// The cause for Debian's kernel patch, which other distributions have adopted.
  private static let debian = Cause(
    "kernel.unprivileged_userns_clone is 0: only root may create user namespaces",
    .sysctl(
      "kernel.unprivileged_userns_clone",
      1,
      "Allow all users to create them, the default of Debian since version 11"
    ),
    Fix("Or run Darkroom as root, which does not need this permission")
  )

  /// The cause for a chroot, in which the kernel refuses user namespaces (user_namespaces(7), `EPERM`).
  ///
  /// It also affects root, whose sessions create the user namespace last. If the directory is not a mount
  /// point, root fails earlier at the mounts (`EINVAL`).
  private static let chroot = Cause(
    "this process is in a chroot, in which the kernel refuses user namespaces (user_namespaces(7))",
    newRoot
  )

  /// The remaining cause if no setting of the machine explains the failure.
  private static let suspectedChroot = Cause(
    "the settings of this machine allow user namespaces; the kernel refuses them in a chroot (user_namespaces(7)), and a "
      + "security module can refuse them",
    newRoot
  )

  /// The fix that replaces a chroot by the root of a mount namespace.
  private static let newRoot = Fix(
    "Instead of a chroot, make the directory the root of a mount namespace",
    [
      "unshare --mount sh -c 'mount --rbind DIRECTORY DIRECTORY && cd DIRECTORY && pivot_root . . && umount -l . && cd / && "
        + "exec darkroom doctor'"
    ]
  )

  /// Returns the cause for a root user without CAP_SYS_ADMIN, as in containers.
  private static func unprivilegedRoot(_ facts: MachineFacts) -> Cause {
    let place = facts.filter.container.map { " in this container (\($0))" } ?? ""
    return Cause(
      "root\(place) has no CAP_SYS_ADMIN",
      Fix(
        "Add the capability to the container, and CAP_SYS_TIME for the clocks of sessions, and remove its filter",
        ["docker run --cap-add SYS_ADMIN --cap-add SYS_TIME --security-opt seccomp=unconfined …"]
      ),
      Fix(
        "Or run Darkroom in the container as an unprivileged user, which needs no capability",
        ["docker run --user 1000:1000 …"]
      ),
      ContainerDiagnosis.policy
    )
  }

  /// Returns the cause for SELinux, which checks a separate permission for user namespaces since Linux 6.1.
  private static func refused(by seLinux: MachineFacts.SELinux) -> Cause {
    let switches = seLinux.booleans.filter { !$0.value }.keys.sorted()
    let audit = Fix(
      "Allow exactly the operations whose refusal is in the audit log",
      [
        "ausearch --message avc --comm darkroom | audit2allow -M darkroom", "semodule --install darkroom.pp",
      ]
    )
    var cause = Cause("SELinux is enforcing, and the context of this process is \(seLinux.context)")
    cause.fixes =
      switches.map { Fix("Enable the boolean of the SELinux policy", ["setsebool -P \($0) on"]) } + [audit]
    return cause
  }
}
