// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import LinuxPrimitives

/// libsystemd, which is loaded on first use.
enum SystemdLibrary {
  /// The functions of the library, or `nil` if it is not installed.
  static let functions: darkroom_systemd? = LibraryFunctions.load { darkroom_systemd_load($0) }
}
