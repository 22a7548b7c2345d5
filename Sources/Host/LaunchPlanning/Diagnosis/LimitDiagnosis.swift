// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxPolicy

/// Finds causes for resource limits and descriptors that cannot be set as the policy requires.
enum LimitDiagnosis {
  /// Returns the cause for a hard limit below the policy's limit.
  static func cause(_ name: LimitName, _ wanted: UInt64, _ most: UInt64) -> Cause {
    var mends: [Mend] = []
    if let shell = name.shellLimit {
      let value = (wanted + shell.unit - 1) / shell.unit
      mends.append(
        Mend(
          "Raise it as root, in the shell that starts Darkroom, or for good in /etc/security/limits.conf",
          ["ulimit -H \(shell.option) \(value)"]
        )
      )
    }
    mends.append(
      Mend("Or be content with less, in a policy of your own: \"limits\": {\"\(name.rawValue)\": \(most)}")
    )
    var cause = Cause(
      "the policy's limit '\(name.rawValue)' is \(wanted), and this process was started with a hard limit of \(most)"
    )
    cause.mends = mends
    return cause
  }

  /// Returns the cause if the process has too few file descriptors for a launch.
  static func causes(of step: Obstacle.Step, _ facts: MachineFacts) -> [Cause] {
    let isLimit = [.invalidArgument, Errno(rawValue: 9), Errno(rawValue: 24)].contains(step.errno)
    guard isLimit && facts.descriptorsNow < 256 else { return [] }
    return [
      Cause(
        "this process may have \(facts.descriptorsNow) descriptors only, and a launch needs more for a moment",
        Mend("Raise the limit where Darkroom is started", ["ulimit -n 1024"])
      )
    ]
  }
}
