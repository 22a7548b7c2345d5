// SPDX-License-Identifier: Apache-2.0

/// This release of Darkroom.
package enum DarkroomRelease {
  /// The version, as `darkroom --version` prints it.
  package static let version = "0.1.0"
}
