// SPDX-License-Identifier: Apache-2.0

/// The selection of the input devices to read.
package enum KeyDeviceSelection: Hashable, Sendable {
  /// All devices in a directory that have one of the keys and can be opened, including those that are
  /// connected later.
  case every(directory: String)
  /// The devices with the given paths, each of which must exist at the start. A device that was unplugged is
  /// read again after it is reconnected.
  case named([String])

  /// The directory of the kernel's input devices.
  package static let standardDirectory = "/dev/input"

  /// Parses a command-line argument: `auto`, or paths separated by commas. Returns `nil` if a path is empty.
  package init?(_ text: String) {
    if text == "auto" {
      self = .every(directory: Self.standardDirectory)
      return
    }
    let paths = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard !paths.contains("") else { return nil }
    self = .named(paths)
  }
}
