// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension FileSystem {
  /// Writes a file so that after a crash the old or the new contents are there, never a part, as
  /// ``replaceContents(_:mode:_:)`` does; but over the file at `reserved`, which has its space already and gets the
  /// name. So no space is needed that somebody else could have taken. A failure leaves `reserved` where it is.
  ///
  /// With a name that is durable `.later` it may be the old file that is there after a power failure, until somebody has
  /// called fsync(2) for the directory.
  package static func replaceContents(
    _ path: String,
    writtenOver reserved: String,
    name durability: NameDurability = .now,
    _ write: (borrowing Descriptor) throws(SystemCallError) -> Void
  ) throws(SystemCallError) {
    let file = try open(reserved, [.write, .noFollow])
    try write(file)
    // What was allocated beyond the end goes back, too.
    try file.truncate(to: file.position())
    try file.synchronize()
    try rename(reserved, to: path, .replace)
    if durability == .now { try synchronizeDirectory(directoryName(path)) }
  }

  /// When a name is durable that a file gets.
  package enum NameDurability: Sendable {
    /// Before the call returns.
    case now
    /// With the next fsync(2) of its directory.
    case later
  }
}

extension Descriptor {
  /// Where the next read or write begins (lseek(2), `SEEK_CUR`).
  borrowing func position() throws(SystemCallError) -> Int64 {
    let raw = rawValue
    return Int64(try check("lseek") { lseek(raw, 0, SEEK_CUR) })
  }
}
