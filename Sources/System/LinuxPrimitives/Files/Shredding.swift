// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Overwriting what a file holds.
extension Descriptor {
  /// How much is overwritten at once.
  private static let piece = 1 << 18

  /// Overwrites the data of the open file with random bytes, where it is, and makes that durable (lseek(2) with
  /// `SEEK_DATA`, pwrite(2), fdatasync(2)); gives how many bytes. Holes are left: nothing is stored there.
  package borrowing func overwriteData() throws(SystemCallError) -> Int64 {
    let raw = rawValue
    let end = try status().size
    var (at, written): (Int64, Int64) = (0, 0)
    while at < end {
      let begin = Int64(lseek(raw, off_t(at), SEEK_DATA))
      // `ENXIO`: nothing but a hole is left.
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

/// What overwriting a file means on a file system.
package enum OverwritingEffect: Sendable, Hashable {
  /// The file system writes to the same blocks.
  case inPlace
  /// It writes elsewhere, and the old data stays until the space is used again.
  case elsewhere(fileSystem: String)
  /// Nothing of it is on a disk.
  case memory(fileSystem: String)
  /// Nobody here knows how it writes.
  case unknown

  /// What is known of the file system of `path` (statfs(2), `f_type`).
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
