// SPDX-License-Identifier: Apache-2.0

/// A path of the host that the session sees read-only, at the same path.
package struct ReadOnlyPath: Sendable, Hashable {
  /// The absolute path.
  package var path: String
  /// Whether the launch requires the path.
  package var presence: Presence
  /// The position of the path in the policy.
  package var origin: PolicyOrigin

  /// Whether a launch requires a path of the host.
  package enum Presence: Sendable, Hashable {
    /// The launch fails if the host does not have the path.
    case required
    /// The session starts without the path if the host does not have it.
    case optional
  }

  /// Creates a path to expose.
  package init(_ path: String, _ presence: Presence = .required, origin: PolicyOrigin) {
    self.path = path
    self.presence = presence
    self.origin = origin
  }
}
