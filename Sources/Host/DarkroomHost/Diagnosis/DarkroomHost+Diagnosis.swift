// SPDX-License-Identifier: Apache-2.0

internal import HostDiagnosis
internal import LaunchPlanning

extension DarkroomHost {
  /// Examines which sandbox layers the machine and the user support, as `darkroom doctor` does. For each policy,
  /// a system program is run in a sandbox; no extension is launched.
  ///
  /// - Parameter policies: The policies to examine in addition to the shipped ones.
  ///
  /// - Returns: The findings about the machine and about each policy.
  ///
  /// - Throws: ``HostError/policy(_:)`` if a shipped policy cannot be read, or ``HostError/system(_:)`` if no
  ///   thread can be started. A sandbox that cannot be created is a finding.
  public func diagnose(with policies: [CapturePolicy] = []) async throws(HostError) -> MachineReport {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      let shipped = try CapturePolicy.shippedNames.map { name throws(HostError) in try CapturePolicy(name) }
      let examined = (shipped + policies).map { ($0.name, $0.policy) }
      return MachineReport(HostDoctor.report(stateRoot: root, policies: examined))
    }
  }
}
