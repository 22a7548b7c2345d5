// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxEnforcement
package import SandboxPolicy

/// Restricted mode: sessions without namespaces, their requirements and limitations.
///
/// Restricted mode is for unprivileged users who cannot create a user namespace. The policy must list
/// `userNamespace` under `bestEffort`. Root can always create a user namespace.
package enum RestrictedMode {
  /// The oldest sufficient Landlock ABI. Before version 3, `truncate` by path could change every file of the
  /// user.
  package static let oldestLandlockABI = 3
  /// The first Landlock ABI that restricts signals and abstract sockets (Linux 6.12).
  package static let scopingLandlockABI = 6

  /// A reason why a session cannot run in restricted mode.
  package enum Refusal: Sendable, Hashable, CustomStringConvertible {
    /// The host runs as root.
    case root
    /// Landlock is missing or too old.
    case landlock(abi: Int)

    /// A sentence with the fix.
    package var description: String {
      switch self {
      case .root: "sessions of root are never restricted: root can create user namespaces"
      case .landlock(let abi):
        (abi == 0
          ? "Landlock is unavailable on this kernel" : "Landlock of this kernel is too old (ABI \(abi))")
          + ", and without it a session without namespaces could access the user's files; use Linux 6.2 "
          + "or newer (ABI \(RestrictedMode.oldestLandlockABI)) with landlock in the lsm= parameter, or allow user "
          + "namespaces (see 'darkroom doctor')"
      }
    }
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

  /// The reason why this user cannot use restricted mode on this machine, or `nil` if the mode is available
  /// and only the policy decides.
  package static var refusal: Refusal? {
    refusal(user: CurrentProcess.effectiveUserID, landlockABI: LandlockSupport.abi)
  }

  /// Returns the reason for a UID and a Landlock ABI version.
  static func refusal(user: UInt32, landlockABI: Int) -> Refusal? {
    if user == 0 { return .root }
    return landlockABI < oldestLandlockABI ? .landlock(abi: landlockABI) : nil
  }

  /// The limitations of restricted mode on this machine, one sentence each.
  package static var lacks: [String] { lacks(landlockABI: LandlockSupport.abi) }

  /// Returns the limitations of restricted mode with a Landlock ABI version, one sentence each.
  package static func lacks(landlockABI: Int) -> [String] {
    missing.compactMap { layer in
      meaning(of: layer, landlockABI: landlockABI).map { "no \(layer.rawValue): \($0)" }
    } + [
      "limits: the limit on processes counts all processes of the user, and is the sum of their number at the launch "
        + "and the policy's limit; the size of the scratch space is measured, not enforced by the kernel",
      "programs: they cannot change modes, owners, times or attributes of files (chmod, touch and 'cp -p' fail), watch "
        + "files, or create sessions and process groups (setsid fails, timeout needs --foreground)",
    ]
  }
}
