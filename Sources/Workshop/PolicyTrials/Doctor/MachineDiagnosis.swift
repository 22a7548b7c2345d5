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
    ] + StateRootDiagnosis.findings(facts)
  }

  /// The identity of sessions outside their user namespace.
  private static func user(_ facts: MachineFacts) -> MachineFinding {
    switch facts.identity {
    case .other:
      MachineFinding("user", .present, "root; each session is a user outside that nobody else is")
    case .caller where facts.user == 0:
      MachineFinding(
        "user",
        .advice,
        "root of a user namespace that has no user to spare: outside, sessions are whoever made it",
        [
          Fix(
            "Give the namespace all users of the machine, or run Darkroom outside it",
            ["cat /proc/self/uid_map"]
          )
        ]
      )
    case .caller, .restricted:
      MachineFinding(
        "user",
        .present,
        "an ordinary user (\(facts.user)); outside, sessions are the same user"
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
        "\(facts.libseccomp) knows every call that policies can name"
      )
    }
    return MachineFinding(
      "libseccomp",
      .present,
      "\(facts.libseccomp) does not know \(missing.count) of the kernel's calls, the newest being \(newest): "
        + "Darkroom knows them by number"
    )
  }

  /// Whether the kernel supports filters, and whether this process is already filtered.
  private static func filters(_ facts: MachineFacts) -> MachineFinding {
    guard facts.filterActions != nil else {
      return MachineFinding(
        "filters",
        .missing,
        "Linux \(facts.kernel) has no filters of system calls",
        [Fix("Run a kernel that was built with CONFIG_SECCOMP_FILTER=y")]
      )
    }
    guard facts.filter.count > 0 else {
      return MachineFinding("filters", .present, "nobody else filters the system calls of this process")
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
        ? "a server knows them again: what comes and goes has no root put together anew"
        : "a server cannot know them again (listmount, since Linux 6.8, is not to be had): after each change of them the next "
          + "session takes longer, for its root is put together anew"
    )
  }

  /// The extension container is in memory, which can be swapped to a disk. Compressed memory (zram) is not a
  /// disk.
  private static func swap(_ facts: MachineFacts) -> MachineFinding {
    let devices = facts.swaps.filter { !$0.hasPrefix("/dev/zram") }
    guard !devices.isEmpty else {
      return MachineFinding("scratch", .present, "in memory; it cannot be written to a disk")
    }
    return MachineFinding(
      "scratch",
      .advice,
      "in memory, but swap is on (\(devices.joined(separator: ", "))): it can be written to a disk",
      [
        Fix("Switch it off", devices.map { "swapoff \($0)" }),
        Fix("Or encrypt it with a key that is new at each start, by /etc/crypttab"),
      ]
    )
  }
}
