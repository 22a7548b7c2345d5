// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The reason why an input device cannot be read.
package enum KeyInputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// This user has no permission to read the device.
  case refused(path: String, SystemCallError)
  /// The device does not exist.
  case missing(path: String)
  /// The file is not an input device.
  case notAnInputDevice(path: String)
  /// The device has none of the required keys.
  case noKeys(path: String, name: String)
  /// The library that reads input devices is unavailable.
  case noLibrary
  /// A system call failed.
  case system(path: String, SystemCallError)

  /// Creates the error of a failed open of a path.
  init(_ error: SystemCallError, _ path: String) {
    self =
      switch error.errno {
      case .permissionDenied, .notPermitted: .refused(path: path, error)
      case .noSuchFile, .notADirectory, Self.noSuchDevice: .missing(path: path)
      default: .system(path: path, error)
      }
  }

  /// The device was unplugged. The corresponding errno is `ENODEV`.
  static let noSuchDevice = Errno(rawValue: 19)

  /// The error, with a fix.
  package var description: String {
    switch self {
    case .refused(let path, let error):
      "this user may not read \(path) (\(error.errno)); run 'sudo usermod -aG input USER' and log in again, or let a udev "
        + "rule grant access to the user at the machine (TAG+=\"uaccess\")"
    case .missing(let path):
      "the input device \(path) does not exist; 'ls -l /dev/input/by-id' lists the input devices"
    case .notAnInputDevice(let path):
      "\(path) is not an input device; name a device in /dev/input, or use auto"
    case .noKeys(let path, let name):
      "\(path) (\(name.filter { !$0.isNewline })) has none of the required keys; name another device, or use auto"
    case .noLibrary: EvdevLibrary.missing
    case .system(let path, let error): "\(path) cannot be read: \(error)"
    }
  }
}
