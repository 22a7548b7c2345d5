// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import LinuxPrimitives

/// libsystemd, loaded when it is first asked for.
enum SystemdLibrary {
  /// Its functions; nil: it is not there.
  static let functions: darkroom_systemd? = LibraryFunctions.load { darkroom_systemd_load($0) }
}
