// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What the running kernel knows of Landlock.
package enum LandlockSupport {
  /// The newest version of the interface whose rights this package names.
  ///
  /// Version 7 (Linux 6.15) added switches of the audit log, no right.
  package static let newestKnown = 7

  /// The version that the kernel offers, but not more than ``newestKnown``; 0 if Landlock is off or absent.
  package static let abi: Int = {
    do {
      return min(try LandlockVersion.abi(), newestKnown)
    } catch {
      return 0
    }
  }()
}
