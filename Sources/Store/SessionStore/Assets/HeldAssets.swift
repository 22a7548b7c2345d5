// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A lease on the set of shared files that a session uses. The set is not removed while this value exists.
package struct HeldAssets: ~Copyable {
  /// The directory of the files on the host, or `nil` if the app shares no files.
  package let path: String?
  private let hold: DirectoryLock?

  /// Creates the lease of an app that shares no files.
  init() {
    path = nil
    hold = nil
  }

  /// Creates a lease on a set.
  init(path: String, hold: consuming DirectoryLock) {
    self.path = path
    self.hold = consume hold
  }
}
