// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// The isolation mode of a session.
package enum SessionMode: Sendable, Hashable {
  /// The session has namespaces and its own root.
  case namespaces
  /// The session has only the filter and Landlock, whose version may not support scoping signals.
  case restricted(signalsAreScoped: Bool)
}

extension SessionMode {
  /// Returns the part of a policy that applies to sessions of the mode.
  package func effective(_ policy: ResolvedPolicy) -> ResolvedPolicy {
    switch self {
    case .namespaces: policy
    case .restricted(let signalsAreScoped): policy.restricted(signalsAreScoped: signalsAreScoped)
    }
  }

  /// Whether the session has namespaces.
  var hasNamespaces: Bool { self == .namespaces }
}
