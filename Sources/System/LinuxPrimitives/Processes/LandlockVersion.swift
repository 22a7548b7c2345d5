// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Which version of Landlock the running kernel has.
package enum LandlockVersion {
  /// The ABI (landlock_create_ruleset(2) with `LANDLOCK_CREATE_RULESET_VERSION`); fails if Landlock is off or absent.
  package static func abi() throws(SystemCallError) -> Int {
    Int(try check("landlock_create_ruleset") { darkroom_landlock_abi() })
  }
}
