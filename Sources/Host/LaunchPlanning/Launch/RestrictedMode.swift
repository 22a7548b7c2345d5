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
      case .root: "a session of root is never restricted: root can make user namespaces"
      case .landlock(let abi):
        (abi == 0 ? "this kernel has no Landlock" : "this kernel's Landlock is too old (ABI \(abi))")
          + ", without which nothing would keep a session without namespaces from the user's files: it takes ABI "
          + "\(RestrictedMode.oldestLandlockABI), Linux 6.2 or newer with landlock in the lsm= parameter; or allow user "
          + "namespaces ('darkroom doctor' says how)"
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
      "the extension is the user who launched it: it shares that user's quotas and limits, and the kernel's checks of "
        + "users keep it from nothing that the user may do"
    case .mountNamespace:
      "no second lock on files: Landlock alone keeps them closed, and names, sizes and times of files whose path is "
        + "guessed can be seen (stat, readlink, chdir)"
    case .pidNamespace: processMeaning(landlockABI)
    case .networkNamespace: networkMeaning(landlockABI)
    case .ipcNamespace:
      "System V objects and message queues are the machine's; the filter alone keeps them closed"
    case .utsNamespace: "the machine's own host name can be seen"
    case .cgroupNamespace:
      "no view of control groups of its own; no file that tells of them can be opened"
    case .timeNamespace: "the clocks tell when the machine was started"
    case .root:
      "the files have their true names, which tell the user's name; there is no /proc, /tmp, /dev/shm or /etc/passwd "
        + "that could be opened; scratch space is on disk, measured several times a second and deleted at the end"
    default: nil
    }
  }

  /// Returns the consequence of the missing network namespace.
  private static func networkMeaning(_ landlockABI: Int) -> String {
    let second =
      switch landlockABI {
      case scopingLandlockABI...: "Landlock closes TCP and abstract sockets a second time, and no others"
      case 4...: "Landlock closes TCP a second time, and no others"
      default: "this kernel's Landlock knows no network"
      }
    return "the machine's network is there, and the filter keeps every socket closed; \(second)"
  }

  /// Returns the consequence of the missing PID namespace.
  private static func processMeaning(_ landlockABI: Int) -> String {
    let signals =
      landlockABI >= scopingLandlockABI
      ? "Landlock keeps signals inside"
      : "for want of Landlock's scopes (ABI 6, Linux 6.12) processes can signal their whole group only, so that "
        + "abort() ends in SIGSEGV and 'kill PID' fails"
    return
      "the numbers of the machine's processes can be seen; \(signals), the session is one process group that "
      + "nobody can leave, and its init ends it; an init that is killed from outside takes its time from the host"
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
      "limits: the limit on processes counts all that the user runs, and so is what ran at the launch and the policy's "
        + "number together; the size of the scratch space is measured, not enforced by the kernel",
      "programs: none can change modes, owners, times or attributes of files (chmod, touch and 'cp -p' fail), watch "
        + "files, or make sessions and process groups of their own (setsid fails, timeout needs --foreground)",
    ]
  }
}
