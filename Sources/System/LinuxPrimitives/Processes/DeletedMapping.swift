// SPDX-License-Identifier: Apache-2.0

/// A part of a process's memory that belongs to a file whose last name is gone, as a line of `/proc/PID/maps` tells it.
package struct DeletedMapping: Sendable, Hashable {
  /// The device as the line has it, `major:minor` in hexadecimal. Some file systems give stat(2) another.
  package var device: String
  /// The number of the inode.
  package var inode: UInt64
  /// What `/proc/PID/map_files` calls it.
  package var name: String

  /// Reads a line without its newline; nil for memory of another kind.
  ///
  /// A file can be named so that it seems to be deleted, and none can be named so that it seems to be there.
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
    // The directory has the numbers without the zeros that the line may begin them with.
    name = range.map { String(decoding: $0.drop { $0 == UInt8(ascii: "0") }, as: UTF8.self) }
      .joined(separator: "-")
  }

  private static let mark = Array(" (deleted)".utf8)
}
