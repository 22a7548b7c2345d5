// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The files below a state root that authentication has.
package struct AuthenticationPlaces: Hashable, Sendable {
  /// The state root.
  private let root: String

  /// The places below a state root, which is an absolute path.
  package init(root: String) { self.root = root }

  /// Where the way to authenticate is chosen.
  package var configurationFile: String { "\(root)/authentication.json" }
  /// The directory of what is remembered.
  package var directory: String { "\(root)/lock" }
  /// The digest of the passcode.
  package var passcodeFile: String { "\(directory)/passcode.json" }
  /// How many attempts have failed.
  package var attemptsFile: String { "\(directory)/attempts.json" }
  /// Whose lock is held while that is looked at or changed.
  package var attemptsLock: String { "\(directory)/attempts.lock" }

  /// Makes the directory, which is this user's alone.
  package func prepare() throws(SystemCallError) { try FileSystem.prepareDirectory(directory) }
}
