// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The paths of authentication files below a state root.
package struct AuthenticationPaths: Hashable, Sendable {
  /// The state root.
  private let root: String

  /// Creates the paths for a state root, given as an absolute path.
  package init(root: String) { self.root = root }

  /// The configuration of authentication.
  package var configurationFile: String { "\(root)/authentication.json" }
  /// The directory of the other files.
  package var directory: String { "\(root)/lock" }
  /// The file with the digest of the passcode.
  package var passcodeFile: String { "\(directory)/passcode.json" }
  /// The file with the number of failed attempts.
  package var attemptsFile: String { "\(directory)/attempts.json" }
  /// The lock file that protects the number of failed attempts.
  package var attemptsLock: String { "\(directory)/attempts.lock" }

  /// Creates the directory with access only for this user.
  package func prepare() throws(SystemCallError) { try FileSystem.prepareDirectory(directory) }
}
