// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The Landlock version of the running kernel.
package enum LandlockVersion {
  /// Returns the ABI version (landlock_create_ruleset(2) with `LANDLOCK_CREATE_RULESET_VERSION`). Throws if
  /// Landlock is disabled or absent.
  package static func abi() throws(SystemCallError) -> Int {
    Int(try check("landlock_create_ruleset") { darkroom_landlock_abi() })
  }
}
