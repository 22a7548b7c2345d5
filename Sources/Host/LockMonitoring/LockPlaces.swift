// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The files below a state root that the lock has.
package struct LockPlaces: Hashable, Sendable {
  /// The state root.
  private let root: String

  /// The places below a state root, which is an absolute path.
  package init(root: String) { self.root = root }

  /// Where the sources of the lock are chosen.
  package var configurationFile: String { "\(root)/lock.json" }
  /// The directory of what the lock remembers.
  package var directory: String { "\(root)/lock" }
  /// What `darkroom lock` and `darkroom unlock` have said last.
  package var stateFile: String { "\(directory)/state" }
  /// In which boot the person was seen unlocked.
  package var firstUnlockFile: String { "\(directory)/first-unlock" }

  /// Makes the directory, which is this user's alone.
  package func prepare() throws(SystemCallError) { try FileSystem.prepareDirectory(directory) }
}
