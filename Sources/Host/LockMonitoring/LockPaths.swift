// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The paths of the lock's files below a state root.
package struct LockPaths: Hashable, Sendable {
  /// The state root.
  private let root: String

  /// Creates the paths for a state root, given as an absolute path.
  package init(root: String) { self.root = root }

  /// The configuration of the lock's sources.
  package var configurationFile: String { "\(root)/lock.json" }
  /// The directory of the lock's state files.
  package var directory: String { "\(root)/lock" }
  /// The last state that `darkroom lock` or `darkroom unlock` has set.
  package var stateFile: String { "\(directory)/state" }
  /// The ID of the boot in which the screen was unlocked.
  package var firstUnlockFile: String { "\(directory)/first-unlock" }

  /// Creates the directory with access only for this user.
  package func prepare() throws(SystemCallError) { try FileSystem.prepareDirectory(directory) }
}
