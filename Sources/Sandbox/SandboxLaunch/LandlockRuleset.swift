// SPDX-License-Identifier: Apache-2.0

/// What a Landlock ruleset handles, and what it allows beneath which path (landlock(7)).
package struct LandlockRuleset: Sendable, Hashable {
  /// One rule.
  package struct Rule: Sendable, Hashable {
    /// A path as the extension sees it.
    package var path: String
    /// The rights, as `LANDLOCK_ACCESS_FS_…` bits.
    package var access: UInt64

    /// Makes a rule.
    package init(path: String, access: UInt64) {
      self.path = path
      self.access = access
    }
  }

  /// The rights on files that are denied wherever no rule allows them.
  package var files: UInt64
  /// The rights on the network that are denied.
  package var network: UInt64
  /// What may not reach outside. The corresponding member is `scoped`.
  package var scopes: UInt64
  /// The exceptions.
  package var rules: [Rule]

  /// Makes a ruleset.
  package init(files: UInt64, network: UInt64, scopes: UInt64, rules: [Rule]) {
    self.files = files
    self.network = network
    self.scopes = scopes
    self.rules = rules
  }
}
