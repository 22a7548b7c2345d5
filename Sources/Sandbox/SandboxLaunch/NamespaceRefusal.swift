// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives

/// Advice for a user who cannot create a user namespace.
enum NamespaceRefusal {
  /// The way to raise the limits, for an administrator.
  static let space = "a limit on namespaces is reached; raise the sysctls user.max_*_namespaces"
  /// The way to find the reason. There are many possible reasons, and the advice for one is wrong for the
  /// others.
  static let reason = "run 'darkroom doctor' to find the reason"
  /// The alternative, which the user has to choose.
  static let restricted =
    "or allow a restricted session without namespaces: with the policy 'container', or with \"bestEffort\": "
    + "[\"userNamespace\"] and \"acceptSingleMechanism\" in a policy of your own (for its limits, see \"The restricted "
    + "mode\" in the documentation)"

  /// Returns the fix for an unprivileged user.
  static func fix(_ errno: Errno) -> String {
    switch errno {
    case .noSpace, .tooManyUsers: "\(space), \(restricted)"
    default: "\(reason), \(restricted)"
    }
  }
}

extension LaunchStep {
  /// Returns whether a failure of this step means that the caller cannot create a user namespace, or none
  /// that is usable.
  ///
  /// Some security modules remove the capabilities in new user namespaces (Ubuntu's
  /// `kernel.apparmor_restrict_unprivileged_userns`). The kernel then creates one and refuses the first
  /// operation in it. The seccomp profile of Podman allows creating namespaces, but refuses sethostname(2) and
  /// chroot(2) in them. In a container that hides parts of `/proc`, the kernel refuses to mount a new `/proc`,
  /// which would show these parts (`mount_too_revealing` in fs/namespace.c).
  func isNamespaceRefusal(_ errno: Errno, _ index: Int, _ plan: LaunchPlan) -> Bool {
    guard plan.identity == .caller else { return false }
    let refusals: [Errno] = [.notPermitted, .permissionDenied]
    return switch self {
    case .cloneSession, .makeNetwork: (refusals + [.noSpace, .tooManyUsers, .notImplemented]).contains(errno)
    case .denySetgroups, .mapUser, .mapGroup, .setClocks, .makeMountsPrivate, .mountRoot, .setHostname,
      .hideMountTable:
      refusals.contains(errno)
    case .buildRoot:
      errno == .notPermitted && plan.root.indices.contains(index) && plan.root[index].showsProcesses
    default: false
    }
  }
}
