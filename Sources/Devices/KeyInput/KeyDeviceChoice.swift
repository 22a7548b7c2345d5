// SPDX-License-Identifier: Apache-2.0

/// Which input devices are read.
package enum KeyDeviceChoice: Hashable, Sendable {
  /// Those of a directory that have one of the keys and may be opened, also those that come later.
  case every(directory: String)
  /// These, each of which has to be there at the beginning; one that was unplugged is read again when it comes back.
  case named([String])

  /// Where the kernel's input devices are.
  package static let standardDirectory = "/dev/input"

  /// Reads what stands on a command line: `auto`, or paths with commas between them; nil if there is an empty path.
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
