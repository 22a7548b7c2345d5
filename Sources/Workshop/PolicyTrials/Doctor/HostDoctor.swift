// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
package import SandboxPolicy
package import SessionStore

/// Finds out what the sandbox can be made of here, by making one for each policy.
package enum HostDoctor {
  /// Looks at everything. The state root is looked at, not made. The policies are told by these names.
  package static func examine(
    stateRoot: StateRoot?,
    policies: [(name: String, policy: ResolvedPolicy)]
  ) -> DoctorReport {
    let facts = MachineReader.read(stateRoot: stateRoot)
    let findings = policies.map { name, policy in
      PolicyDiagnosis.finding(name, policy, PolicyTrial.run(policy), facts)
    }
    return DoctorReport(machine: MachineDiagnosis.findings(facts), policies: findings)
  }
}
