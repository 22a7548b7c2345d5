// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The Landlock support of the running kernel.
package enum LandlockSupport {
  /// The newest version of the ABI whose rights this package names.
  ///
  /// Version 7 (Linux 6.15) added flags for the audit log, not rights.
  package static let newestKnown = 7

  /// The ABI version of the kernel, at most ``newestKnown``, or 0 if Landlock is disabled or absent.
  package static let abi: Int = {
    do {
      return min(try LandlockVersion.abi(), newestKnown)
    } catch {
      return 0
    }
  }()
}
