// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension FileSystem {
  /// Writes a file so that after a crash the old or the new contents are there, never a part, as
  /// ``replaceContents(_:mode:_:)`` does; but over the file at `reserved`, which has its space already and gets the
  /// name. So no space is needed that somebody else could have taken, and what it does not need goes back. A failure leaves
  /// `reserved` where it is.
  ///
  /// Of a file that is `.passing` it may be the old one that is there after a power failure, until somebody has called
  /// fsync(2) for the directory.
  package static func replaceContents(
    _ path: String,
    writtenOver reserved: String,
    _ use: ReservedUse = .lasting,
    _ write: (borrowing Descriptor) throws(SystemCallError) -> Void
  ) throws(SystemCallError) {
    let file = try open(reserved, [.write, .noFollow])
    try write(file)
    // Also what an attempt that failed has left behind the end.
    try file.truncate(to: file.position())
    try file.synchronize()
    try rename(reserved, to: path, .replace)
    if use == .lasting { try synchronizeDirectory(directoryName(path)) }
  }

  /// What becomes of a file that is written over what was set aside for it.
  package enum ReservedUse: Sendable {
    /// It stays: its name is durable before the call returns.
    case lasting
    /// It is replaced or removed soon: its name is durable with the next fsync(2) of its directory.
    case passing
  }
}

extension Descriptor {
  /// Where the next read or write begins (lseek(2), `SEEK_CUR`).
  borrowing func position() throws(SystemCallError) -> Int64 {
    let raw = rawValue
    return Int64(try check("lseek") { lseek(raw, 0, SEEK_CUR) })
  }
}
