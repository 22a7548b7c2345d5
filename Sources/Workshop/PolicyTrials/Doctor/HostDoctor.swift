// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
package import SandboxPolicy
package import SessionStore

/// Examines which protections this machine supports, by creating a sandbox for each policy.
package enum HostDoctor {
  /// Examines the machine, the state root and the policies. A missing state root is not created. The report
  /// contains the policies under the given names.
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
