// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// The state of one layer of one policy on this machine.
package struct LayerFinding: Sendable, Hashable {
  /// The degree to which a layer is enforced, as session records name it.
  package typealias State = SessionRecord.Layer.State

  /// The layer's name.
  package var name: String
  /// The state of the layer on this machine.
  package var state: State
  /// The observation, or the reason why the layer is not fully enforced.
  package var detail: String
  /// The fixes, best first.
  package var fixes: [Fix]

  /// Creates a finding about a layer.
  package init(_ name: String, _ state: State, _ detail: String, _ fixes: [Fix] = []) {
    self.name = name
    self.state = state
    self.detail = detail
    self.fixes = fixes
  }

  /// Returns a copy of the finding with other fixes.
  package func with(_ fixes: [Fix]) -> LayerFinding { LayerFinding(name, state, detail, fixes) }
}

/// The state of one policy on this machine.
package struct PolicyFinding: Sendable, Hashable {
  /// The degree to which a policy can be enforced.
  package enum Status: String, Sendable, Comparable {
    /// Every layer is enforced.
    case full
    /// Sessions run, but at least one layer is degraded or missing.
    case degraded
    /// No session can run under the policy.
    case unavailable

    /// The position in the order from best to worst.
    private var rank: Int {
      switch self {
      case .full: 0
      case .degraded: 1
      case .unavailable: 2
      }
    }

    /// Whether the left status is better than the right one.
    package static func < (left: Status, right: Status) -> Bool { left.rank < right.rank }
  }

  /// The policy's name, or the path of its document.
  package var name: String
  /// The degree to which the policy can be enforced.
  package var status: Status
  /// The findings about all layers.
  package var layers: [LayerFinding]
  /// Notes that do not concern a layer.
  package var remarks: [String]

  /// Creates a finding about a policy.
  package init(name: String, status: Status, layers: [LayerFinding], remarks: [String]) {
    self.name = name
    self.status = status
    self.layers = layers
    self.remarks = remarks
  }
}

/// The state of a property of the machine that affects all policies.
package struct MachineFinding: Sendable, Hashable {
  /// The states of such a property.
  package enum State: String, Sendable {
    /// The property is as required.
    case present
    /// The property is as required, but there is advice about it.
    case advice
    /// Sessions fail because of the property.
    case missing
  }

  /// The name of the property.
  package var name: String
  /// The state of the property.
  package var state: State
  /// The observation.
  package var detail: String
  /// The fixes, best first.
  package var fixes: [Fix]

  /// Creates a finding about the machine.
  package init(_ name: String, _ state: State, _ detail: String, _ fixes: [Fix] = []) {
    self.name = name
    self.state = state
    self.detail = detail
    self.fixes = fixes
  }
}

/// The result of `darkroom doctor`.
package struct DoctorReport: Sendable, Hashable {
  /// The findings about the machine.
  package var machine: [MachineFinding]
  /// The findings about the policies.
  package var policies: [PolicyFinding]

  /// Creates a report.
  package init(machine: [MachineFinding], policies: [PolicyFinding]) {
    self.machine = machine
    self.policies = policies
  }

  /// The worst status of all findings.
  package var status: PolicyFinding.Status {
    let worst = policies.map(\.status).max() ?? .full
    return machine.contains { $0.state == .missing } ? .unavailable : worst
  }
}
