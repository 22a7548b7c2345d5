// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import LinuxPrimitives
package import SandboxPolicy
package import SessionStore

/// The results of the attack battery against one policy.
package struct AttackSummary: Sendable {
  /// The name or path by which the policy was chosen.
  var policy: String
  /// The result of each attempt.
  package var results: [AttemptResult]
  /// The reason why the attempts were made in restricted sessions, or `nil` if the sandboxes had namespaces.
  var restriction: String?

  /// Creates a value from its parts.
  package init(policy: String, results: [AttemptResult], restriction: String? = nil) {
    self.policy = policy
    self.results = results
    self.restriction = restriction
  }

  /// Returns the number of attempts with a verdict.
  package func count(_ verdict: AttemptResult.Verdict) -> Int { results.count { $0.verdict == verdict } }

  /// The results with a run outside any sandbox.
  var resultsWithOutsideRun: [AttemptResult] { results.filter { $0.outside != nil } }
}

/// The configuration of an attack on a policy.
package struct AttackConfiguration {
  /// The path of the probe program, or `nil` to search for `darkroom-probe` next to this program and in
  /// `../libexec/darkroom`.
  package var probePath: String?
  /// The directory in which decoys are created: files that the attempts try to reach.
  package var directory: String
  /// The signals on which the battery ends and removes its decoys.
  package var signals: HostSignals

  /// Creates a value from its parts.
  package init(probes: String? = nil, place: String, signals: HostSignals) {
    self.probePath = probes
    self.directory = place
    self.signals = signals
  }

  /// Returns the directory for the decoys of a state root: its parent directory, where an attacker would look for
  /// the real files, or `/tmp` if this user cannot write there.
  package static func decoyDirectory(_ root: StateRoot) -> String {
    let beside = FileSystem.directoryName(root.path)
    return (try? FileSystem.checkWritable(beside)) == nil ? "/tmp" : beside
  }

  /// Makes every attempt under a policy.
  package func attack(_ policy: ResolvedPolicy, named name: String) throws(AttackError) -> AttackSummary {
    let program = try ProbeProgram.find(probePath)
    let battery = try AttackBattery(
      program,
      .init(policy: policy, attempts: try program.attempts(), place: directory, proof: .none)
    )
    return AttackSummary(policy: name, results: try battery.run(signals), restriction: battery.restriction)
  }
}
