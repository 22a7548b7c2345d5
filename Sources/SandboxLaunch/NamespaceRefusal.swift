// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives

/// What it means that a user cannot make a user namespace, and what to do about it.
enum NamespaceRefusal {
  /// How an administrator allows it.
  static let permission =
    "this machine does not let this user make user namespaces: allow it (sysctl kernel.unprivileged_userns_clone=1, "
    + "or kernel.apparmor_restrict_unprivileged_userns=0)"
  /// How an administrator makes room.
  static let space = "a limit on namespaces is reached: raise the sysctls below user.max_*_namespaces"
  /// The other way out, which is a person's own choice.
  private static let restricted =
    "or accept a session without namespaces by \"bestEffort\": [\"userNamespace\"] in a policy of your own (what that "
    + "lacks is in the documentation of policies, under The restricted mode)"

  /// The mend for an ordinary user.
  static func mend(_ errno: Errno) -> String {
    let first =
      switch errno {
      case .noSpace, .tooManyUsers: space
      case .notImplemented: "this kernel is built without user namespaces (CONFIG_USER_NS)"
      default: permission
      }
    return "\(first), or run as root, \(restricted)"
  }
}

extension LaunchStep {
  /// Whether a failure of this step says that the caller can make no user namespace, or none that is of use.
  ///
  /// Where a security module takes the capabilities in new user namespaces away, the kernel makes one and then refuses
  /// what comes first in it (Ubuntu's `kernel.apparmor_restrict_unprivileged_userns`).
  func isRefusalOfNamespaces(_ errno: Errno, _ identity: LaunchPlan.Identity) -> Bool {
    guard identity == .caller else { return false }
    let refusals: [Errno] = [.notPermitted, .permissionDenied]
    return switch self {
    case .cloneSession, .makeNetwork: (refusals + [.noSpace, .tooManyUsers, .notImplemented]).contains(errno)
    case .denySetgroups, .mapUser, .mapGroup, .setClocks, .makeMountsPrivate, .mountRoot:
      refusals.contains(errno)
    default: false
    }
  }
}
