// SPDX-License-Identifier: Apache-2.0

internal import SandboxEnforcement
package import SandboxPolicy
internal import SessionStore

/// The mechanisms that deny access to a session without namespaces.
///
/// Two checks of the same kernel mechanism are independent of the policy and of each other, but count as a single
/// mechanism: a fault of the mechanism in the kernel disables both.
package struct DenialMechanisms: Sendable, Hashable {
  /// The denied access.
  package let access: DeniedAccess
  /// The checks that deny the access in this session. The launch fails if the first check of a mechanism has no effect.
  package let checks: [Check]

  /// A mechanism of the kernel.
  package enum Mechanism: String, Sendable, Hashable {
    /// System call filters (seccomp(2)).
    case seccomp
    /// Rulesets for files and the network (landlock(7)).
    case landlock
  }

  /// A check that denies access.
  package enum Check: String, Sendable, Hashable {
    /// The filter of the policy.
    case policyFilter
    /// The filter that denies sockets regardless of the policy (``SocketFilter``).
    case socketFilter
    /// The ruleset of the policy.
    case policyRuleset
    /// The ruleset that denies the state root regardless of the policy.
    case stateRootRuleset

    /// The mechanism that executes the check.
    package var mechanism: Mechanism {
      switch self {
      case .policyFilter, .socketFilter: .seccomp
      case .policyRuleset, .stateRootRuleset: .landlock
      }
    }
  }

  /// The mechanisms that execute the checks, without duplicates.
  package var mechanisms: [Mechanism] {
    checks.reduce(into: []) { if !$0.contains($1.mechanism) { $0.append($1.mechanism) } }
  }

  /// Returns the checks of a session with a Landlock ABI version, for each access.
  package static func all(landlockABI: Int) -> [DenialMechanisms] {
    DeniedAccess.allCases.map { access in
      switch access {
      case .tcp:
        let ruleset: [Check] = landlockABI >= RestrictedMode.networkLandlockABI ? [.policyRuleset] : []
        return .init(access: access, checks: [.policyFilter, .socketFilter] + ruleset)
      // Landlock denies abstract sockets (ABI 6), but no other sockets of these kinds.
      case .udp, .otherSockets: return .init(access: access, checks: [.policyFilter, .socketFilter])
      case .groupContainers: return .init(access: access, checks: [.policyRuleset, .stateRootRuleset])
      }
    }
  }

  /// Returns the access that a single mechanism denies, although the policy does not accept that.
  ///
  /// Only sessions of policies with `userNamespace` under `bestEffort` run without namespaces.
  static func unaccepted(by policy: ResolvedPolicy, landlockABI: Int) -> [DenialMechanisms] {
    guard policy.bestEffort.contains(.userNamespace) else { return [] }
    return single(landlockABI: landlockABI).filter { !policy.acceptSingleMechanism.contains($0.access) }
  }

  /// Returns the access that a single mechanism denies to a session with a Landlock ABI version.
  package static func single(landlockABI: Int) -> [DenialMechanisms] {
    all(landlockABI: landlockABI).filter { $0.mechanisms.count < 2 }
  }

  /// The entry for the session record.
  var record: SessionRecord.Denial {
    .init(
      access: access.rawValue,
      mechanisms: mechanisms.map(\.rawValue),
      checks: checks.map(\.rawValue)
    )
  }
}

extension DenialMechanisms: CustomStringConvertible {
  /// The access and the mechanisms as text.
  package var description: String {
    "\(access.words) (\(mechanisms.map(\.rawValue).joined(separator: " and ")))"
  }
}

extension DeniedAccess {
  /// The access as text.
  package var words: String {
    switch self {
    case .tcp: "TCP"
    case .udp: "UDP"
    case .otherSockets: "other sockets"
    case .groupContainers: "group containers"
    }
  }
}
