// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SessionStore

/// Finds the reason why Landlock is unavailable and describes the limits of old versions.
package enum LandlockDiagnosis {
  /// The versions of the Landlock ABI: the version, the Linux release, and the consequence if the version is
  /// missing.
  static let versions: [(abi: Int, kernel: String, without: String)] = [
    (1, "5.13", "only the root of the sandbox restricts access to files"),
    (2, "5.19", "files cannot be moved between directories, because the access right for moves is missing"),
    (3, "6.2", "files without write access can be truncated if the mounts allow writing"),
    (4, "6.7", "only the filter and the network namespace block TCP"),
    (5, "6.10", "only the filter blocks requests to devices (ioctl)"),
    (6, "6.12", "only the namespaces isolate signals and abstract sockets"),
    (7, "6.15", "refusals of Landlock are not written to the audit log"),
  ]
  /// Returns the Linux release that introduced an ABI version.
  static func release(of abi: Int) -> String { versions.first { $0.abi == abi }?.kernel ?? "6.18" }

  /// The first ABI version with all access rights that are needed. Later versions only add logging.
  static let complete = 6

  /// Returns the state of a Landlock layer on a kernel with this ABI version.
  package static func state(abi: Int) -> SessionRecord.Layer.State { abi < complete ? .degraded : .enforced }

  /// Returns the reason why Landlock is unavailable.
  package static func absence(_ facts: MachineFacts) -> Cause {
    let bestEffort = Fix("Or run without Landlock, with your own policy: \"bestEffort\": [\"landlock\"]")
    if facts.filter.count > 0, case .refused(let errno) = facts.landlock, errno != .notSupported {
      let calls = ["landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"]
      let refusal = CallRefusal(calls.map { RefusedCall($0, .error(errno)) }, by: facts.filter)
      return Cause(refusal.reason, CallDiagnosis.fix(refusal), bestEffort)
    }
    guard case .refused(.notSupported) = facts.landlock else {
      return Cause(
        "Linux \(facts.kernel) was built without Landlock",
        Fix("Run Linux 5.13 or newer, built with CONFIG_SECURITY_LANDLOCK=y"),
        bestEffort
      )
    }
    // The `lsm=` parameter replaces the whole list, so it has to contain the active modules. If the kernel
    // does not show the active modules, Debian's default list is used.
    let active =
      facts.securityModules
      ?? ["lockdown", "yama", "loadpin", "safesetid", "integrity", "apparmor", "bpf"]
    let modules = ["landlock"] + active.filter { $0 != "capability" }
    let list = modules.joined(separator: ",")
    return Cause(
      "the kernel supports Landlock, but it is not in the list of active security modules",
      Fix(
        "Add Landlock to the kernel's command line, and reboot",
        [
          "sed -i 's/^GRUB_CMDLINE_LINUX=\"/&lsm=\(list) /' /etc/default/grub", "update-grub", "reboot",
        ]
      ),
      bestEffort
    )
  }

  /// Returns the causes of failed Landlock calls on a kernel that has Landlock.
  static func causes(of step: LaunchObstacle.Step, _ facts: MachineFacts) -> [Cause] {
    switch step.errno {
    case .notImplemented, .notSupported:
      [facts.landlock.version == 0 ? absence(facts) : CallDiagnosis.filtered(facts)]
    case .notPermitted where facts.filter.count > 0: [CallDiagnosis.filtered(facts)]
    // E2BIG: the kernel allows at most 16 stacked rulesets per process.
    case Errno(rawValue: 7):
      [
        Cause(
          "16 Landlock rulesets are already enforced on this process, the maximum of the kernel",
          Fix("Start Darkroom outside the other sandboxes")
        )
      ]
    default: []
    }
  }

  /// Returns the finding about a layer of a record, including the restrictions that this Landlock version
  /// lacks.
  package static func finding(_ layer: SessionRecord.Layer, _ facts: MachineFacts) -> LayerFinding {
    let detail = layer.detail ?? ""
    let missing = versions.filter { $0.abi > facts.landlock.version }
    guard layer.state == .degraded, let newest = versions.first(where: { $0.abi == complete }) else {
      let later = missing.map { "; ABI \($0.abi) of Linux \($0.kernel) is missing: \($0.without)" }.joined()
      return LayerFinding(layer.name, layer.state, detail + later)
    }
    let lacks = missing.map { "ABI \($0.abi) (Linux \($0.kernel)): \($0.without)" }.joined(separator: "; ")
    return LayerFinding(
      layer.name,
      layer.state,
      "\(detail); without \(lacks)",
      [Fix("Run Linux \(newest.kernel) or newer")]
    )
  }
}
