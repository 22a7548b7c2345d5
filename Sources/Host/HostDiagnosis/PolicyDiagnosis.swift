// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
package import SandboxPolicy
internal import SessionStore

/// The diagnosis of one policy, based only on a trial and the facts about the machine.
package enum PolicyDiagnosis {
  /// Returns the finding for a policy.
  package static func finding(
    _ name: String,
    _ policy: ResolvedPolicy,
    _ trial: PolicyTrial,
    _ facts: MachineFacts
  ) -> PolicyFinding {
    var layers = layerFindings(trial, facts)
    for obstacle in trial.obstacles { add(obstacle, facts, to: &layers) }
    let status: PolicyFinding.Status =
      !trial.obstacles.isEmpty
      ? .unavailable : layers.contains { $0.state != .enforced } ? .degraded : .full
    return PolicyFinding(
      name: name,
      status: status,
      layers: layers,
      remarks: remarks(policy, trial, facts)
    )
  }

  /// Returns the findings for the layers of the trial's sandbox.
  private static func layerFindings(_ trial: PolicyTrial, _ facts: MachineFacts) -> [LayerFinding] {
    (trial.layers ?? []).map { layer in
      let finding = LayerFinding(layer.name, layer.state, layer.detail ?? "")
      switch Layer(rawValue: layer.name) {
      case .landlock where layer.state != .missing: return LandlockDiagnosis.finding(layer, facts)
      case .seccomp where layer.state == .degraded: return finding.with(FilterDiagnosis.listenerTaken.fixes)
      case .controlGroup: return finding.with(trial.controlGroupFixes)
      case .userNamespace where layer.state == .missing:
        let causes = trial.restriction.map { LaunchDiagnosis.causes(of: $0, facts) } ?? []
        return finding.with(causes.flatMap(\.fixes))
      case .some(let kind) where layer.state == .missing && trial.restriction == nil:
        guard let cause = LaunchDiagnosis.absence(of: kind, facts) else { return finding }
        return LayerFinding(layer.name, .missing, cause.reason, cause.fixes)
      default: return finding
      }
    }
  }

  /// Adds the missing layer of an obstacle.
  private static func add(_ obstacle: LaunchObstacle, _ facts: MachineFacts, to layers: inout [LayerFinding])
  {
    for cause in LaunchDiagnosis.causes(of: obstacle, facts) {
      let name = (cause.layer ?? obstacle.layer).rawValue
      let finding = LayerFinding(name, .missing, cause.reason, cause.fixes)
      // The trial continued without this layer, which is then either listed as enforced or not listed.
      if let index = layers.firstIndex(where: { $0.name == name && $0.state != .missing }) {
        layers[index] = finding
      } else if !layers.contains(finding) {
        layers.append(finding)
      }
    }
  }

  /// Returns the remarks that do not belong to a layer.
  private static func remarks(
    _ policy: ResolvedPolicy,
    _ trial: PolicyTrial,
    _ facts: MachineFacts
  ) -> [String] {
    var remarks: [String] = []
    if let restriction = trial.restriction {
      remarks.append(
        "sessions run restricted, without namespaces, which the policy permits: \(restriction.sentence)"
      )
    }
    for denial in trial.denials where denial.mechanisms.count == 1 {
      remarks.append(
        "a single mechanism denies \(denial.access) to restricted sessions: \(denial.mechanisms[0]), by "
          + "\(denial.checks.joined(separator: " and "))"
      )
    }
    if let fault = trial.programFault {
      remarks.append(
        "the program of the trial, /usr/bin/true, cannot run under this policy (\(fault)); every layer was "
          + "enforced when it started"
      )
    }
    if trial.layers == nil && !trial.obstacles.isEmpty {
      remarks.append(
        "layers that are not listed were not reached; no session starts without the listed layers"
      )
    }
    if let free = facts.stateRoot?.free, free < UInt64(policy.limits.sessionBytes) {
      remarks.append(
        "a session may write \(policy.limits.sessionBytes >> 20) MiB, but only \(free >> 20) MiB are free in the "
          + "state root"
      )
    }
    return remarks
  }
}
