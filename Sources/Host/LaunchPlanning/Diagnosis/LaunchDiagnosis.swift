// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SandboxLaunch
package import SandboxPolicy

/// Finds the causes of a launch failure in the facts about the machine. It reads nothing else.
package enum LaunchDiagnosis {
  /// Returns the causes, most certain first, or the sentence of the obstacle if the facts do not explain it.
  package static func causes(of obstacle: LaunchObstacle, _ facts: MachineFacts) -> [Cause] {
    let known = knownCauses(of: obstacle, facts)
    return known.isEmpty ? [Cause(obstacle.sentence)] : known
  }

  /// Returns the causes that the facts show, most certain first.
  static func knownCauses(of obstacle: LaunchObstacle, _ facts: MachineFacts) -> [Cause] {
    switch obstacle {
    case .plan(let error): return causes(of: error, facts)
    case .host(let error): return CallDiagnosis.causes(of: error.errno, facts)
    case .step(let step):
      let found = causes(of: step, facts)
      // EPERM also means that a resource limit cannot be set.
      return found.isEmpty && step.layer != .limits ? CallDiagnosis.causes(of: step.errno, facts) : found
    }
  }

  /// Returns the reason why the kernel lacks a layer, or `nil` for layers that all supported kernels have.
  package static func absence(of layer: Layer, _ facts: MachineFacts) -> Cause? {
    switch layer {
    case .landlock: LandlockDiagnosis.absence(facts)
    case .timeNamespace:
      Cause(
        "time namespaces are unavailable on Linux \(facts.kernel): the clocks of a session reveal when the machine "
          + "was started",
        Fix("Run Linux 6.3 or newer, built with CONFIG_TIME_NS=y"),
        Fix("Or run without a time namespace, with your own policy: \"bestEffort\": [\"timeNamespace\"]")
      )
    default: nil
    }
  }

  /// Returns the causes of a planning error.
  private static func causes(of error: PlanError, _ facts: MachineFacts) -> [Cause] {
    switch error {
    case .missingLayer(let layer): absence(of: layer, facts).map { [$0] } ?? []
    case .limitAboveHost(let name, let wanted, let most): [LimitDiagnosis.cause(name, wanted, most)]
    case .filter where facts.filter.count > 0: [CallDiagnosis.filtered(facts)]
    case .missingPath(let path):
      [
        Cause(
          "the policy shows \(path), which does not exist on this machine",
          Fix(
            "Install it, or write {\"path\": \"\(path)\", \"optional\": true} in your own policy"
          )
        )
      ]
    default: []
    }
  }

  /// Returns the causes of a failed launch step, depending on its layer.
  private static func causes(of step: LaunchObstacle.Step, _ facts: MachineFacts) -> [Cause] {
    // UID maps are written through /proc, which many chroots lack.
    if !facts.hasProc && step.errno == .noSuchFile { return [missingProc] }
    let mountsProc = step.name == "buildRoot" || step.name == "openProc"
    if mountsProc && step.errno == .notPermitted && !facts.maskedProcPaths.isEmpty {
      return [maskedProc(facts)]
    }
    switch step.layer {
    case .seccomp: return FilterDiagnosis.causes(of: step, facts)
    case .landlock: return LandlockDiagnosis.causes(of: step, facts)
    case .descriptors: return LimitDiagnosis.causes(of: step, facts)
    case .capabilities where step.errno == .notPermitted: return [lockedSecurebits(facts)]
    case .root where step.errno == .permissionDenied && !facts.isUsrReadable: return [unreadable]
    // AppArmor allows the creation of the namespace and refuses later operations in it, including those on
    // the root.
    case .userNamespace, .mountNamespace, .networkNamespace, .root, .utsNamespace, .timeNamespace, .identity:
      return NamespaceDiagnosis.causes(of: step, facts)
    default: return []
    }
  }

  /// The cause for a missing `/proc`: UID maps cannot be read or written.
  private static let missingProc = Cause(
    "/proc is not mounted, which the UID map of a user namespace requires",
    Fix("Mount /proc", ["mount -t proc proc /proc"])
  )

  /// Returns the cause for the kernel's rule that a new mount must not reveal more than the old one
  /// (`mount_too_revealing`).
  private static func maskedProc(_ facts: MachineFacts) -> Cause {
    let some = facts.maskedProcPaths.prefix(3).joined(separator: ", ")
    let more = facts.maskedProcPaths.count > 3 ? " and \(facts.maskedProcPaths.count - 3) more" : ""
    return Cause(
      "parts of /proc are hidden by other mounts (\(some)\(more)), and the kernel does not let a user namespace "
        + "mount a new /proc that shows more than the old one",
      Fix(
        "In Docker or Podman, do not mask these paths; sessions of Darkroom cannot see them",
        ["docker run --security-opt systempaths=unconfined …", "podman run --security-opt unmask=ALL …"]
      ),
      ContainerDiagnosis.kubernetes,
      Fix("Elsewhere, remove the mounts as root", facts.maskedProcPaths.prefix(3).map { "umount \($0)" })
    )
  }

  /// Returns the cause for locked securebits, which a launch has to change.
  private static func lockedSecurebits(_ facts: MachineFacts) -> Cause {
    Cause(
      "this process cannot drop its capabilities permanently: its securebits are "
        + "0x\(String(facts.securebits, radix: 16)), and locked bits cannot be changed",
      Fix(
        "Start Darkroom without locked securebits: SecureBits= in a systemd unit, or setpriv",
        [
          "setpriv --dump | grep -i securebits"
        ]
      )
    )
  }

  /// The cause for a `/usr` that the user cannot read. Every session is shown `/usr`.
  private static let unreadable = Cause(
    "this user cannot read /usr, which every session requires",
    Fix("Restore the standard mode of /usr", ["chmod 755 /usr"])
  )
}

/// Describes a failed launch in a sentence, with the cause and the fix for this machine.
package enum LaunchExplanation {
  /// Returns the sentence. If the machine has a known cause, its fix replaces the generic advice of the
  /// failed step.
  package static func sentence(_ error: SandboxLaunchError, _ facts: MachineFacts) -> String {
    guard let cause = LaunchDiagnosis.knownCauses(of: LaunchObstacle(error), facts).first else {
      return "\(error)"
    }
    let happened =
      switch error {
      case .host: "\(error)"
      case .child(let failure): failure.cause
      }
    let alternative = if case .child(let failure) = error { failure.alternative } else { String?.none }
    let fixes = cause.fixes.first.map { "; \(clause($0))" } ?? ""
    return "\(happened): \(cause.reason)\(fixes)" + (alternative.map { ", \($0)" } ?? "")
  }

  /// Returns a fix as a clause of a sentence.
  private static func clause(_ fix: Fix) -> String {
    let text = fix.sentence.prefix(1).lowercased() + fix.sentence.dropFirst()
    return fix.commands.isEmpty ? text : "\(text) (\(fix.commands.joined(separator: "; ")))"
  }
}
