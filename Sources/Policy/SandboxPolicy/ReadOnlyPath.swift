// SPDX-License-Identifier: Apache-2.0

/// A path of the host that the session sees, read-only, at the same place.
package struct ReadOnlyPath: Sendable, Hashable {
  /// The absolute path.
  package var path: String
  /// What happens where the host has no such path.
  package var presence: Presence
  /// Where the policy says so.
  package var origin: PolicyOrigin

  /// What happens where the host has no such path.
  package enum Presence: Sendable, Hashable {
    /// The launch fails.
    case required
    /// The session does without.
    case optional
  }

  /// Makes a grant.
  package init(_ path: String, _ presence: Presence = .required, origin: PolicyOrigin) {
    self.path = path
    self.presence = presence
    self.origin = origin
  }
}
