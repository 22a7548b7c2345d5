// SPDX-License-Identifier: Apache-2.0

/// The handled access rights of a Landlock ruleset, and the rights that its rules allow beneath paths
/// (landlock(7)).
package struct LandlockRuleset: Sendable, Hashable {
  /// The access rights beneath one path.
  package struct Rule: Sendable, Hashable {
    /// A path in the extension's root.
    package var path: String
    /// The access rights, as `LANDLOCK_ACCESS_FS_…` bits.
    package var access: UInt64

    /// Creates a rule.
    package init(path: String, access: UInt64) {
      self.path = path
      self.access = access
    }
  }

  /// The handled file system rights, which are denied unless a rule allows them.
  package var files: UInt64
  /// The handled network rights, which are denied.
  package var network: UInt64
  /// The restrictions of interprocess communication. The corresponding member is `scoped`.
  package var scopes: UInt64
  /// The rules, which allow handled rights beneath paths.
  package var rules: [Rule]
  /// A directory that the host can read and the rules deny, or `nil`. The launch fails if the extension's process
  /// can open the directory nevertheless.
  package var deniedDirectory: String?
  /// The rules of the ruleset of the state root, or an empty list if there is no such ruleset. The init of a restricted
  /// session enforces it, with the same handled rights, before it creates the extension's process.
  package var stateRootRules: [Rule]

  /// Creates a ruleset.
  package init(
    files: UInt64,
    network: UInt64,
    scopes: UInt64,
    rules: [Rule],
    deniedDirectory: String? = nil,
    stateRootRules: [Rule] = []
  ) {
    self.files = files
    self.network = network
    self.scopes = scopes
    self.rules = rules
    self.deniedDirectory = deniedDirectory
    self.stateRootRules = stateRootRules
  }
}
