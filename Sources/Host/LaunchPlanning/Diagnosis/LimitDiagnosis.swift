// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxPolicy

/// Finds causes for resource limits and descriptors that cannot be set as the policy requires.
enum LimitDiagnosis {
  /// Returns the cause for a hard limit below the policy's limit.
  static func cause(_ name: LimitName, _ requested: UInt64, _ maximum: UInt64) -> Cause {
    var fixes: [Fix] = []
    if let shell = name.shellLimit {
      let value = (requested + shell.unit - 1) / shell.unit
      fixes.append(
        Fix(
          "Raise the limit as root in the shell that starts Darkroom, or permanently in /etc/security/limits.conf",
          ["ulimit -H \(shell.option) \(value)"]
        )
      )
    }
    fixes.append(
      Fix("Or lower the limit in your own policy: \"limits\": {\"\(name.rawValue)\": \(maximum)}")
    )
    var cause = Cause(
      "the policy's limit '\(name.rawValue)' is \(requested), but the hard limit of this process is \(maximum)"
    )
    cause.fixes = fixes
    return cause
  }

  /// Returns the cause if the process has too few file descriptors for a launch.
  static func causes(of step: LaunchObstacle.Step, _ facts: MachineFacts) -> [Cause] {
    let isLimit = [.invalidArgument, Errno(rawValue: 9), Errno(rawValue: 24)].contains(step.errno)
    guard isLimit && facts.descriptorSoftLimit < 256 else { return [] }
    return [
      Cause(
        "this process may open only \(facts.descriptorSoftLimit) descriptors, and a launch temporarily needs more",
        Fix("Raise the limit in the shell that starts Darkroom", ["ulimit -n 1024"])
      )
    ]
  }
}
