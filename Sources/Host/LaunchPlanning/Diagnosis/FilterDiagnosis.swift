// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Finds causes for a system call filter that cannot be installed.
package enum FilterDiagnosis {
  /// Returns the causes that the facts show.
  static func causes(of step: LaunchObstacle.Step, _ facts: MachineFacts) -> [Cause] {
    switch step.errno {
    // EBUSY: only one filter of a process may have a listener.
    case Errno(rawValue: 16): [listenerTaken]
    case .invalidArgument, .notImplemented: [absence(facts)]
    case .notPermitted, .permissionDenied: facts.filter.count > 0 ? [CallDiagnosis.filtered(facts)] : []
    case Errno(rawValue: 12):
      [
        Cause(
          "the seccomp filters of this process exceed the maximum total size; \(facts.filter.count) were already "
            + "installed",
          Fix("Start Darkroom outside the other sandboxes")
        )
      ]
    default: []
    }
  }

  /// The cause for a supervisor that already listens to this process, so that refused calls cannot be
  /// reported.
  package static let listenerTaken = Cause(
    "another supervisor receives the seccomp user notifications of this process, and the kernel allows only one",
    Fix(
      "Start Darkroom outside that supervisor: in a container, without a filter that notifies an agent",
      ["docker run --security-opt seccomp=unconfined …"]
    )
  )

  /// Returns the cause for a kernel without filters or without a required filter action.
  private static func absence(_ facts: MachineFacts) -> Cause {
    let wanted = ["errno", "kill_process", "user_notif"]
    guard let actions = facts.filterActions else {
      return Cause(
        "Linux \(facts.kernel) was built without seccomp filters",
        Fix("Run a kernel that was built with CONFIG_SECCOMP_FILTER=y")
      )
    }
    let missing = wanted.filter { !actions.contains($0) }
    guard missing.isEmpty else {
      return Cause(
        "the seccomp filters of Linux \(facts.kernel) lack the actions \(missing.joined(separator: ", "))",
        Fix("Run Linux 6.1 or newer")
      )
    }
    return Cause(
      "the kernel rejects the filter, although it supports seccomp filters",
      Fix("Report this as a bug of Darkroom")
    )
  }
}
