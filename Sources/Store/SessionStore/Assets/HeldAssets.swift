// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The set of shared files that a session has, which is not removed as long as this lives.
package struct HeldAssets: ~Copyable {
  /// The directory on the host with the files; nil: the app shares nothing.
  package let path: String?
  private let hold: DirectoryHold?

  /// Nothing is shared.
  init() {
    path = nil
    hold = nil
  }

  /// A set that is held.
  init(path: String, hold: consuming DirectoryHold) {
    self.path = path
    self.hold = consume hold
  }
}
