// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Overwriting of file data.
extension Descriptor {
  /// The number of bytes that are overwritten at a time.
  private static let piece = 1 << 18

  /// Overwrites the data of the open file in place with random bytes and makes them durable. Returns the
  /// number of bytes.
  ///
  /// The calls are lseek(2) with `SEEK_DATA`, pwrite(2) and fdatasync(2). Holes are skipped because they
  /// store no data.
  package borrowing func overwriteData() throws(SystemCallError) -> Int64 {
    let raw = rawValue
    let end = try status().size
    var (at, written): (Int64, Int64) = (0, 0)
    while at < end {
      let begin = Int64(lseek(raw, off_t(at), SEEK_DATA))
      // `ENXIO`: the rest of the file is a hole.
      if begin < 0 { break }
      let found = Int64(lseek(raw, off_t(begin), SEEK_HOLE))
      let hole = found < 0 ? end : found
      try overwrite(from: begin, to: hole)
      written += hole - begin
      at = hole
    }
    try check("fdatasync") { fdatasync(raw) }
    return written
  }

  private borrowing func overwrite(from begin: Int64, to end: Int64) throws(SystemCallError) {
    let raw = rawValue
    var bytes = [UInt8](repeating: 0, count: Self.piece)
    var at = begin
    while at < end {
      let wanted = Int(min(Int64(Self.piece), end - at))
      let random = try check("getrandom") { getrandom(&bytes, wanted, 0) }
      at += Int64(try check("pwrite64") { pwrite(raw, bytes, random, off_t(at)) })
    }
  }
}

/// The effect of overwriting a file on a file system.
package enum OverwritingEffect: Sendable, Hashable {
  /// The file system writes to the same blocks.
  case inPlace
  /// The file system writes to other blocks, and the old data remains until the space is reused.
  case elsewhere(fileSystem: String)
  /// The file system stores no data on a disk.
  case memory(fileSystem: String)
  /// The behavior of the file system is unknown.
  case unknown

  /// Returns the effect on the file system of `path` (statfs(2), `f_type`).
  package static func on(_ path: String) -> OverwritingEffect {
    switch darkroom_file_system_type(path) & 0xFFFF_FFFF {
    // ext2, ext3 and ext4; XFS; JFS; FAT; exFAT.
    case 0xEF53, 0x5846_5342, 0x3153_464A, 0x4D44, 0x2011_BAB0: .inPlace
    case 0x9123_683E: .elsewhere(fileSystem: "btrfs")
    case 0x2FC1_2FC1: .elsewhere(fileSystem: "zfs")
    case 0xCA45_1A4E: .elsewhere(fileSystem: "bcachefs")
    case 0xF2F5_2010: .elsewhere(fileSystem: "f2fs")
    case 0x3434: .elsewhere(fileSystem: "nilfs2")
    case 0x0102_1994: .memory(fileSystem: "tmpfs")
    case 0x8584_58F6: .memory(fileSystem: "ramfs")
    default: .unknown
    }
  }
}
