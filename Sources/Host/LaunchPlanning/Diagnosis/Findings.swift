// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// How one layer of one policy stands here.
package struct LayerFinding: Sendable, Hashable {
  /// The degree to which a layer is enforced, as session records name it.
  package typealias State = SessionRecord.Layer.State

  /// The layer's name.
  package var name: String
  /// How it stands.
  package var state: State
  /// What was seen, or why it is not whole.
  package var detail: String
  /// What to do about it, the first being the best.
  package var mends: [Mend]

  /// Describes a finding.
  package init(_ name: String, _ state: State, _ detail: String, _ mends: [Mend] = []) {
    self.name = name
    self.state = state
    self.detail = detail
    self.mends = mends
  }

  /// Returns the finding with these fixes.
  package func with(_ mends: [Mend]) -> LayerFinding { LayerFinding(name, state, detail, mends) }
}

/// How one policy stands here.
package struct PolicyFinding: Sendable, Hashable {
  /// How a policy stands.
  package enum Standing: String, Sendable, Comparable {
    /// Every layer is enforced.
    case whole
    /// Sessions run, with a layer that does less or is missing.
    case degraded
    /// No session runs under it.
    case absent

    /// The place in the order.
    private var rank: Int {
      switch self {
      case .whole: 0
      case .degraded: 1
      case .absent: 2
      }
    }

    /// The worse one is larger.
    package static func < (left: Standing, right: Standing) -> Bool { left.rank < right.rank }
  }

  /// The policy's name, or the path of its document.
  package var name: String
  /// How it stands.
  package var standing: Standing
  /// Every layer.
  package var layers: [LayerFinding]
  /// What is no layer, and good to know.
  package var remarks: [String]

  /// Creates a finding about a policy.
  package init(name: String, standing: Standing, layers: [LayerFinding], remarks: [String]) {
    self.name = name
    self.standing = standing
    self.layers = layers
    self.remarks = remarks
  }
}

/// Something of the machine that concerns every policy.
package struct MachineFinding: Sendable, Hashable {
  /// How something stands.
  package enum State: String, Sendable {
    /// It is well.
    case present
    /// It is there, with something to know.
    case advice
    /// Sessions fail for it.
    case missing
  }

  /// What.
  package var name: String
  /// How it stands.
  package var state: State
  /// What was seen.
  package var detail: String
  /// What to do about it, the first being the best.
  package var mends: [Mend]

  /// Describes a finding.
  package init(_ name: String, _ state: State, _ detail: String, _ mends: [Mend] = []) {
    self.name = name
    self.state = state
    self.detail = detail
    self.mends = mends
  }
}

/// Everything that the doctor found.
package struct DoctorReport: Sendable, Hashable {
  /// The machine.
  package var machine: [MachineFinding]
  /// The policies.
  package var policies: [PolicyFinding]

  /// Creates a report.
  package init(machine: [MachineFinding], policies: [PolicyFinding]) {
    self.machine = machine
    self.policies = policies
  }

  /// How the worst of it stands.
  package var standing: PolicyFinding.Standing {
    let worst = policies.map(\.standing).max() ?? .whole
    return machine.contains { $0.state == .missing } ? .absent : worst
  }
}
