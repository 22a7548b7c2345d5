// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch

/// The diagnosis of properties of the machine that affect all policies, based only on the given facts.
package enum MachineDiagnosis {
  /// Returns all findings about the machine.
  package static func findings(_ facts: MachineFacts) -> [MachineFinding] {
    [
      MachineFinding("kernel", .present, "Linux \(facts.kernel) on \(facts.machine)"), user(facts),
      library(facts), filters(facts), CallDiagnosis.finding(facts), mounts(facts), swap(facts),
    ] + [ContainerDiagnosis.finding(facts)].compactMap { $0 } + StateRootDiagnosis.findings(facts)
  }

  /// The identity of sessions outside their user namespace.
  private static func user(_ facts: MachineFacts) -> MachineFinding {
    switch facts.identity {
    case .other:
      MachineFinding("user", .present, "root; each session has a UID that no other process has")
    case .caller where facts.user == 0 && facts.capabilities & SessionIdentity.systemAdministration == 0:
      MachineFinding(
        "user",
        .advice,
        "root without CAP_SYS_ADMIN; sessions run with the UID of root, without capabilities",
        [Fix("Run Darkroom as an unprivileged user, so that sessions do not have the UID of root")]
      )
    case .caller where facts.user == 0:
      MachineFinding(
        "user",
        .advice,
        "root of a user namespace without spare UIDs; sessions run with the UID that created the namespace",
        [
          Fix(
            "Map all UIDs of the machine into the namespace, or run Darkroom outside it",
            ["cat /proc/self/uid_map"]
          )
        ]
      )
    case .caller, .restricted:
      MachineFinding(
        "user",
        .present,
        "an unprivileged user (UID \(facts.user)); sessions run with the same UID"
      )
    }
  }

  /// The system calls that libseccomp knows.
  private static func library(_ facts: MachineFacts) -> MachineFinding {
    let missing = facts.callsUnknownToLibrary
    guard let newest = missing.last else {
      return MachineFinding(
        "libseccomp",
        .present,
        "\(facts.libseccomp) supports every system call that policies can name"
      )
    }
    return MachineFinding(
      "libseccomp",
      .present,
      "\(facts.libseccomp) lacks \(missing.count) system calls of the kernel (the newest is \(newest)); "
        + "Darkroom uses their numbers"
    )
  }

  /// Whether the kernel supports filters, and whether this process is already filtered.
  private static func filters(_ facts: MachineFacts) -> MachineFinding {
    guard facts.filterActions != nil else {
      return MachineFinding(
        "filters",
        .missing,
        "Linux \(facts.kernel) was built without seccomp filters",
        [Fix("Run a kernel that was built with CONFIG_SECCOMP_FILTER=y")]
      )
    }
    guard facts.filter.count > 0 else {
      return MachineFinding(
        "filters",
        .present,
        "no other program has installed a seccomp filter on this process"
      )
    }
    let cause = CallDiagnosis.filtered(facts)
    return MachineFinding("filters", .advice, cause.reason, cause.fixes)
  }

  /// Whether prelaunched sandboxes stay usable after the mounts of the machine change temporarily, as
  /// container runtimes do at each start.
  private static func mounts(_ facts: MachineFacts) -> MachineFinding {
    MachineFinding(
      "mounts",
      .present,
      facts.hasUniqueMountIDs
        ? "a server keeps its prepared roots after temporary changes of the mounts"
        : "listmount(2) is unavailable on this kernel (requires Linux 6.8): a server builds the root of the next "
          + "session again after each change of the mounts"
    )
  }

  /// The extension container is in memory, which can be swapped to a disk. Compressed memory (zram) is not a
  /// disk.
  private static func swap(_ facts: MachineFacts) -> MachineFinding {
    let devices = facts.swaps.filter { !$0.hasPrefix("/dev/zram") }
    guard !devices.isEmpty else {
      return MachineFinding("scratch", .present, "in memory; the content cannot be written to a disk")
    }
    return MachineFinding(
      "scratch",
      .advice,
      "in memory, but swap is enabled (\(devices.joined(separator: ", "))): the content can be written to a disk",
      [
        Fix("Disable swap", devices.map { "swapoff \($0)" }),
        Fix("Or encrypt swap with a random key at each boot, in /etc/crypttab"),
      ]
    )
  }
}
