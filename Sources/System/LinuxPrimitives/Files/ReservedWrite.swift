// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A file that was set aside and is written over, before it has the name of what is written.
///
/// Its space is there already: so none is needed that somebody else could have taken, and what it does not need goes back. As
/// long as it has no other name it is where it was, whatever fails.
package struct ReservedWrite: ~Copyable {
  private let file: Descriptor
  private let reserved: String

  /// Writes over the file at `reserved`; nothing of that is durable yet.
  package init(
    over reserved: String,
    _ write: (borrowing Descriptor) throws(SystemCallError) -> Void
  ) throws(SystemCallError) {
    let file = try FileSystem.open(reserved, [.write, .noFollow])
    try write(file)
    // Also what an attempt that failed has left behind the end.
    try file.truncate(to: file.position())
    self.file = file
    self.reserved = reserved
  }

  /// Makes durable what was written.
  package borrowing func synchronize() throws(SystemCallError) { try file.synchronize() }

  /// Gives the file the name `path`. It must be durable.
  package consuming func take(_ path: String, _ use: FileSystem.ReservedUse) throws(SystemCallError) {
    switch use {
    case .lasting, .passing: try FileSystem.rename(reserved, to: path, .replace)
    case .exchanged: try FileSystem.exchange(path, with: reserved)
    }
    if use != .passing { try FileSystem.synchronizeDirectory(FileSystem.directoryName(path)) }
  }
}

extension FileSystem {
  /// Writes a file so that after a crash the old or the new contents are there, never a part, as
  /// ``replaceContents(_:mode:_:)`` does; but over the file at `reserved` (``ReservedWrite``).
  ///
  /// Of a file that is `.passing` it may be the old one that is there after a power failure, until somebody has called
  /// fsync(2) for the directory.
  package static func replaceContents(
    _ path: String,
    writtenOver reserved: String,
    _ use: ReservedUse = .lasting,
    _ write: (borrowing Descriptor) throws(SystemCallError) -> Void
  ) throws(SystemCallError) {
    let file = try ReservedWrite(over: reserved, write)
    try file.synchronize()
    try file.take(path, use)
  }

  /// What becomes of a file that is written over what was set aside for it.
  package enum ReservedUse: Sendable {
    /// It stays: its name is durable before the call returns.
    case lasting
    /// It stays as well, and what had its name is not waited for: it is what was set aside then.
    case exchanged
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
