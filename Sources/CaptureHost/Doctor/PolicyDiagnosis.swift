// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy
internal import SessionStore

/// What a trial and the facts about the machine mean for one policy; looks at nothing else.
package enum PolicyDiagnosis {
  /// Judges.
  package static func finding(
    _ name: String,
    _ policy: ResolvedPolicy,
    _ trial: PolicyTrial,
    _ facts: MachineFacts
  ) -> PolicyFinding {
    var layers = made(trial, facts)
    for obstacle in trial.obstacles { add(obstacle, facts, to: &layers) }
    if let group = facts.controlGroup {
      layers.append(LayerFinding("controlGroup", group.standing, group.detail, group.mends))
    }
    let standing: PolicyFinding.Standing =
      !trial.obstacles.isEmpty
      ? .absent : layers.contains { $0.state != .enforced } ? .degraded : .whole
    return PolicyFinding(
      name: name,
      standing: standing,
      layers: layers,
      remarks: remarks(policy, trial, facts)
    )
  }

  /// The layers as the sandbox of the trial had them.
  private static func made(_ trial: PolicyTrial, _ facts: MachineFacts) -> [LayerFinding] {
    guard let layers = trial.layers else { return [] }
    return layers.map { layer in
      let detail = layer.detail ?? ""
      guard layer.state == "enforced" else {
        let cause = Layer(rawValue: layer.name).flatMap { LaunchDiagnosis.absence(of: $0, facts) }
        return LayerFinding(layer.name, .absent, cause?.reason ?? detail, cause?.mends ?? [])
      }
      return layer.name == Layer.landlock.rawValue
        ? LandlockDiagnosis.finding(layer.name, detail: detail, facts)
        : LayerFinding(layer.name, .enforced, detail)
    }
  }

  /// Notes what stood in the way as the absence of its layer.
  private static func add(_ obstacle: Obstacle, _ facts: MachineFacts, to layers: inout [LayerFinding]) {
    for cause in LaunchDiagnosis.causes(of: obstacle, facts) {
      let name = (cause.layer ?? obstacle.layer).rawValue
      let finding = LayerFinding(name, .absent, cause.reason, cause.mends)
      // The trial went on without what it could not have; that is then listed as made, or not at all.
      if let index = layers.firstIndex(where: { $0.name == name && $0.state == .enforced }) {
        layers[index] = finding
      } else if !layers.contains(finding) {
        layers.append(finding)
      }
    }
  }

  /// What is no layer.
  private static func remarks(
    _ policy: ResolvedPolicy,
    _ trial: PolicyTrial,
    _ facts: MachineFacts
  ) -> [String] {
    var remarks: [String] = []
    if let fault = trial.programFault {
      remarks.append(
        "the program of the trial, /usr/bin/true, cannot run under this policy (\(fault)); every layer was in force "
          + "when it was started"
      )
    }
    if trial.layers == nil && !trial.obstacles.isEmpty {
      remarks.append(
        "the layers that are not named were not reached: nothing is launched without those that are"
      )
    }
    if let free = facts.stateRoot?.free, free < UInt64(policy.limits.sessionBytes) {
      remarks.append(
        "a session may write \(policy.limits.sessionBytes >> 20) MiB, and \(free >> 20) MiB are free in the state root"
      )
    }
    return remarks
  }
}
