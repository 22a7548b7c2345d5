// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// How a session is kept apart.
package enum SessionMode: Sendable, Hashable {
  /// By namespaces and a root of its own.
  case namespaces
  /// By the filter and Landlock alone; the latter may be too old to keep signals inside.
  case restricted(signalsAreScoped: Bool)
}

extension SessionMode {
  /// What a policy comes to in such a session.
  package func effective(_ policy: ResolvedPolicy) -> ResolvedPolicy {
    switch self {
    case .namespaces: policy
    case .restricted(let signalsAreScoped): policy.restricted(signalsAreScoped: signalsAreScoped)
    }
  }

  /// Whether it has namespaces.
  var hasNamespaces: Bool { self == .namespaces }
}
