// SPDX-License-Identifier: Apache-2.0

internal import CEvdev
internal import LinuxPrimitives

/// libevdev, loaded on first use.
package enum EvdevLibrary {
  /// The functions, or `nil` if the library is unavailable.
  static let functions: darkroom_evdev? = LibraryFunctions.load { darkroom_evdev_load($0) }

  /// The message with the fix if the library is unavailable, or `nil`. Without the library, key names are
  /// unknown and no device can be read.
  package static var fault: String? { functions == nil ? missing : nil }

  static let missing =
    "libevdev.so.2, which reads input devices, cannot be loaded; install libevdev2"
}
