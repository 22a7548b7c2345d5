// SPDX-License-Identifier: Apache-2.0

/// A memory mapping of a file that has no name any longer, as shown in `/proc/PID/maps`.
package struct DeletedMapping: Sendable, Hashable {
  /// The device in the form of `/proc/PID/maps`: `major:minor` in hexadecimal. On some file systems, stat(2)
  /// returns another device.
  package var device: String
  /// The inode number.
  package var inode: UInt64
  /// The name of the mapping in `/proc/PID/map_files`.
  package var name: String

  /// Reads a line without its newline, or returns `nil` for other mappings.
  ///
  /// An existing file can be named so that it looks deleted, but a deleted file cannot look as if it existed.
  package init?(line: ArraySlice<UInt8>) {
    guard line.suffix(Self.mark.count).elementsEqual(Self.mark) else { return nil }
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
    guard words.count == 6, let inode = UInt64(String(decoding: words[4], as: UTF8.self)), inode > 0 else {
      return nil
    }
    let range = words[0].split(separator: UInt8(ascii: "-"))
    guard range.count == 2 else { return nil }
    device = String(decoding: words[3], as: UTF8.self)
    self.inode = inode
    // Names in `map_files` lack the leading zeros of the addresses in `maps`.
    name = range.map { String(decoding: $0.drop { $0 == UInt8(ascii: "0") }, as: UTF8.self) }
      .joined(separator: "-")
  }

  private static let mark = Array(" (deleted)".utf8)
}
