// SPDX-License-Identifier: Apache-2.0

extension FileSystem {
  /// Whether a text can be the name of a file that neither leaves its directory nor hides in it: at most 200 letters,
  /// digits, dots, dashes and underscores of ASCII, of which a dot or a dash is not the first.
  package static func isPlainName(_ text: String) -> Bool {
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
