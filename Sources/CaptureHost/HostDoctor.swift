// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// Finds out what the sandbox can be made of here, by making one for each policy.
package enum HostDoctor {
  /// Looks at everything. The state root is looked at, not made. `policies` are names of shipped policies, or paths.
  package static func examine(
    stateRoot: StateRoot?,
    policies: [String]
  ) throws(PolicyFindingError) -> DoctorReport {
    let facts = MachineReader.read(stateRoot: stateRoot)
    let findings = try policies.map { name throws(PolicyFindingError) in
      let policy = try PolicyFinder.find(name).policy
      return PolicyDiagnosis.finding(name, policy, PolicyTrial.run(policy), facts)
    }
    return DoctorReport(machine: MachineDiagnosis.findings(facts) + [controlGroup], policies: findings)
  }
}
