// SPDX-License-Identifier: Apache-2.0

internal import CEvdev
internal import LinuxPrimitives

/// libevdev, loaded by who listens for keys first.
package enum EvdevLibrary {
  /// Its functions; nil: it is not there.
  static let functions: darkroom_evdev? = LibraryFunctions.load { darkroom_evdev_load($0) }

  /// Why no key is known and no device is read, as a clause with the mend; nil: the library is there.
  package static var fault: String? { functions == nil ? missing : nil }

  static let missing =
    "libevdev.so.2 cannot be loaded, which knows keys and reads input devices; install libevdev2"
}
