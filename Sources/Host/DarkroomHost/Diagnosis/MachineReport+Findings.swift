// SPDX-License-Identifier: Apache-2.0

internal import LaunchPlanning
internal import SessionStore

extension MachineReport {
  /// Creates a report from that of the doctor.
  init(_ report: DoctorReport) {
    status = Status(report.status)
    properties = report.machine.map { finding in
      Property(
        name: finding.name,
        state: .init(finding.state),
        detail: finding.detail,
        fixes: finding.fixes.map { Fix($0) }
      )
    }
    policies = report.policies.map { finding in
      Policy(
        name: finding.name,
        status: Status(finding.status),
        layers: finding.layers.map { Layer($0) },
        remarks: finding.remarks
      )
    }
  }
}

extension MachineReport.Status {
  /// Creates a status from that of a policy.
  fileprivate init(_ status: PolicyFinding.Status) {
    switch status {
    case .full: self = .full
    case .degraded: self = .degraded
    case .unavailable: self = .unavailable
    }
  }
}

extension MachineReport.Property.State {
  /// Creates a state from that of a finding.
  fileprivate init(_ state: MachineFinding.State) {
    switch state {
    case .present: self = .present
    case .advice: self = .advice
    case .missing: self = .missing
    }
  }
}

extension MachineReport.Layer {
  /// Creates a layer from a finding.
  fileprivate init(_ finding: LayerFinding) {
    (name, state, detail) = (finding.name, finding.state.rawValue, finding.detail)
    fixes = finding.fixes.map { .init($0) }
  }
}

extension MachineReport.Fix {
  /// Creates a fix from that of a finding.
  fileprivate init(_ fix: Fix) {
    (sentence, commands) = (fix.sentence, fix.commands)
    file = fix.file.map { .init(path: $0.path, text: $0.text) }
  }
}
