// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxEnforcement
package import SandboxPolicy

/// Restricted mode: sessions without namespaces, their requirements and limitations.
///
/// Restricted mode is for users who cannot create a user namespace, including root in a container with the
/// default settings. The policy must list `userNamespace` under `bestEffort`. Root with `CAP_SYS_ADMIN` can
/// create namespaces and is never restricted.
package enum RestrictedMode {
  /// The oldest sufficient Landlock ABI. Before version 3, `truncate` by path could change every file of the
  /// user.
  package static let oldestLandlockABI = 3
  /// The first Landlock ABI that restricts TCP (Linux 6.7), as a second mechanism in addition to the filter.
  package static let networkLandlockABI = 4
  /// The first Landlock ABI that restricts signals and abstract sockets (Linux 6.12).
  package static let scopingLandlockABI = 6
  /// Whether the Landlock of this machine restricts signals and abstract sockets.
  package static var signalsAreScoped: Bool { LandlockSupport.abi >= scopingLandlockABI }

  /// A reason why a session cannot run in restricted mode.
  package enum Refusal: Sendable, Hashable, CustomStringConvertible {
    /// The host runs as root with `CAP_SYS_ADMIN`.
    case root
    /// Landlock is missing or older than required.
    case landlock(abi: Int, required: Int)
    /// Fewer than two mechanisms deny this access, and the policy does not accept that.
    case singleMechanism([DenialMechanisms])

    /// A sentence with the fix.
    package var description: String {
      switch self {
      case .root: "sessions of root with CAP_SYS_ADMIN are never restricted: this user can create namespaces"
      case .landlock(let abi, let required):
        (abi == 0
          ? "Landlock is unavailable on this kernel" : "Landlock of this kernel is too old (ABI \(abi))")
          + ", and without it a session without namespaces could access the user's "
          + (abi < RestrictedMode.oldestLandlockABI ? "files" : "network if the filter had a fault")
          + "; use Linux \(LandlockDiagnosis.release(of: required)) or newer (ABI \(required)) with landlock in the "
          + "lsm= parameter, or allow user namespaces (see 'darkroom doctor')"
      case .singleMechanism(let denials): Self.words(denials)
      }
    }

    /// Returns a sentence about access that a single mechanism denies, with all ways to permit the launch.
    private static func words(_ denials: [DenialMechanisms]) -> String {
      let accepted = denials.map { "\"\($0.access.rawValue)\"" }.joined(separator: ", ")
      // A newer kernel adds a mechanism only against TCP.
      let kernel =
        denials.contains { $0.access == .tcp }
        ? "use Linux \(LandlockDiagnosis.release(of: RestrictedMode.networkLandlockABI)) or newer for TCP, "
        : ""
      return "without namespaces, a single mechanism of the kernel denies access to "
        + denials.map(\.description).joined(separator: ", ")
        + "; allow user namespaces (in a container with 'procMount: Unmasked' and a seccomp profile that permits "
        + "them; see 'darkroom doctor'), \(kernel)use the policy 'container', or write \"acceptSingleMechanism\": "
        + "[\(accepted)] in your own policy"
    }
  }

  /// The shipped policy for containers. Its sessions, and those of policies that extend it, require two
  /// mechanisms against TCP.
  private static let containerPolicyName = "container"

  /// Returns the oldest Landlock ABI with which a policy permits restricted sessions.
  static func requiredLandlockABI(of policy: ResolvedPolicy) -> Int {
    policy.chain.contains(containerPolicyName) ? networkLandlockABI : oldestLandlockABI
  }

  /// The layers that are missing in a restricted session.
  package static let missing: [Layer] = [
    .userNamespace, .mountNamespace, .pidNamespace, .networkNamespace, .ipcNamespace, .utsNamespace,
    .cgroupNamespace, .timeNamespace, .root,
  ]

  /// Returns the consequence of a missing layer, or `nil` if the layer is not missing.
  package static func meaning(of layer: Layer, landlockABI: Int) -> String? {
    switch layer {
    case .userNamespace:
      "the extension runs with the UID of the user who launched it: it shares the user's quotas and limits, and UID "
        + "checks of the kernel do not protect the user's resources"
    case .mountNamespace:
      "no second protection of files: only Landlock denies access, and names, sizes and times of files with a guessed "
        + "path are visible (stat, readlink, chdir)"
    case .pidNamespace: processMeaning(landlockABI)
    case .networkNamespace: networkMeaning(landlockABI)
    case .ipcNamespace:
      "System V objects and message queues are shared with the machine; only the filter denies access"
    case .utsNamespace: "the host name of the machine is visible"
    case .cgroupNamespace:
      "no separate view of control groups; files that describe them cannot be opened"
    case .timeNamespace: "the clocks reveal when the machine was started"
    case .root:
      "files have the paths of the host, which reveal the user's name; /proc, /tmp, /dev/shm and /etc/passwd cannot be "
        + "opened; scratch space is on disk, measured several times a second and deleted at the end"
    default: nil
    }
  }

  /// Returns the consequence of the missing network namespace.
  private static func networkMeaning(_ landlockABI: Int) -> String {
    let second =
      switch landlockABI {
      case scopingLandlockABI...: "Landlock also blocks TCP and abstract sockets, but no others"
      case 4...: "Landlock also blocks TCP, but no other sockets"
      default: "Landlock of this kernel does not restrict the network"
      }
    return "the session shares the machine's network, and the filter blocks all sockets; \(second)"
  }

  /// Returns the consequence of the missing PID namespace.
  private static func processMeaning(_ landlockABI: Int) -> String {
    let signals =
      landlockABI >= scopingLandlockABI
      ? "Landlock confines signals to the session"
      : "without Landlock scopes (ABI 6, Linux 6.12) processes can signal only their whole process group, so that "
        + "abort() ends in SIGSEGV and 'kill PID' fails"
    return
      "the PIDs of the machine's processes are visible; \(signals), the session is one process group that no process "
      + "can leave, and its init terminates it; if another program kills the init, the host kills the group"
  }

  /// Returns the reason why a user cannot use restricted mode with a Landlock ABI version, or `nil`.
  static func refusal(isPrivileged: Bool, landlockABI: Int, required: Int) -> Refusal? {
    if isPrivileged { return .root }
    return landlockABI < required ? .landlock(abi: landlockABI, required: required) : nil
  }

  /// The limitations of restricted mode on this machine, one sentence each.
  package static var lacks: [String] { lacks(landlockABI: LandlockSupport.abi) }

  /// Returns the limitations of restricted mode with a Landlock ABI version, one sentence each.
  package static func lacks(landlockABI: Int) -> [String] {
    missing.compactMap { layer in
      meaning(of: layer, landlockABI: landlockABI).map { "no \(layer.rawValue): \($0)" }
    } + [
      "limits: the limit on processes counts all processes of the user, and is the sum of their number at the launch "
        + "and the policy's limit; the kernel does not apply the limit to root outside a user namespace; the size of the scratch space is measured, not enforced by the kernel",
      "programs: they cannot change modes, owners, times or attributes of files (chmod, touch and 'cp -p' fail), watch "
        + "files, or create sessions and process groups (setsid fails, timeout needs --foreground)",
    ]
  }
}
