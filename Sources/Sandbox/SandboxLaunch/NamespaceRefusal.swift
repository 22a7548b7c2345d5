// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives

/// Advice for a caller who cannot create a user namespace.
enum NamespaceRefusal {
  /// How an administrator raises the limits.
  static let space = "a limit on namespaces is reached: raise the sysctls below user.max_*_namespaces"
  /// Where the reason is looked for. Many things can be the reason, and the advice for one is wrong for the others.
  static let reason = "'darkroom doctor' looks for the reason"
  /// The other way out, which the user has to choose.
  static let restricted =
    "or accept a session without namespaces by \"bestEffort\": [\"userNamespace\"] in a policy of your own (what that "
    + "lacks is in the documentation of policies, under The restricted mode)"

  /// Returns the fix for an ordinary user.
  static func mend(_ errno: Errno) -> String {
    switch errno {
    case .noSpace, .tooManyUsers: "\(space), \(restricted)"
    default: "\(reason), \(restricted)"
    }
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
