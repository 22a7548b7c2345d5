// SPDX-License-Identifier: Apache-2.0

extension FileSystem {
  /// Returns whether a text is a portable and visible file name: 1 to 200 ASCII letters, digits, dots,
  /// hyphens and underscores, not beginning with a dot or hyphen.
  package static func isPortableName(_ text: String) -> Bool {
    guard let first = text.utf8.first, first != UInt8(ascii: "."), first != UInt8(ascii: "-") else {
      return false
    }
    return text.utf8.count <= 200
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
