// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
package import SandboxPolicy
package import SessionStore

/// Examines which protections this machine supports, by creating a sandbox for each policy.
package enum HostDoctor {
  /// Examines everything that `darkroom doctor` reports: also the libraries of optional features, and the server
  /// of the state root.
  package static func report(
    stateRoot: StateRoot?,
    policies: [(name: String, policy: ResolvedPolicy)]
  ) -> DoctorReport {
    var report = examine(stateRoot: stateRoot, policies: policies)
    report.machine += LibraryDiagnosis.findings(missing: OptionalLibrary.allCases.filter { !$0.isLoadable })
    report.machine.append(ServiceFinding.of(stateRoot))
    return report
  }

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
