// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A write over a file that was preallocated, before the file gets its final name.
///
/// The space is allocated already, so other processes cannot use it up, and unused space is freed. If the
/// write fails, the preallocated file keeps its name.
package struct ReservedWrite: ~Copyable {
  private let file: Descriptor
  private let reserved: String

  /// Overwrites the file at `reserved`. The data is not durable yet.
  package init(
    over reserved: String,
    _ write: (borrowing Descriptor) throws(SystemCallError) -> Void
  ) throws(SystemCallError) {
    let file = try FileSystem.open(reserved, [.write, .noFollow])
    try write(file)
    // A failed earlier attempt may have left more data.
    try file.truncate(to: file.position())
    self.file = file
    self.reserved = reserved
  }

  /// Makes the written data durable.
  package borrowing func synchronize() throws(SystemCallError) { try file.synchronize() }

  /// Renames the file to `path`. The data must be durable.
  package consuming func take(_ path: String, _ use: FileSystem.ReservedUse) throws(SystemCallError) {
    switch use {
    case .durable, .temporary: try FileSystem.rename(reserved, to: path, .replace)
    case .exchanged: try FileSystem.exchange(path, with: reserved)
    }
    if use != .temporary { try FileSystem.synchronizeDirectory(FileSystem.directoryName(path)) }
  }
}

extension FileSystem {
  /// Replaces the contents of a file atomically as ``replaceContents(_:mode:_:)`` does, by overwriting the
  /// file at `reserved` (``ReservedWrite``).
  ///
  /// With `.passing`, the old file can reappear after a power failure until the directory is synchronized
  /// (fsync(2)).
  package static func replaceContents(
    _ path: String,
    writtenOver reserved: String,
    _ use: ReservedUse = .durable,
    _ write: (borrowing Descriptor) throws(SystemCallError) -> Void
  ) throws(SystemCallError) {
    let file = try ReservedWrite(over: reserved, write)
    try file.synchronize()
    try file.take(path, use)
  }

  /// The durability of a file that replaces another file.
  package enum ReservedUse: Sendable {
    /// The name is durable before the call returns.
    case durable
    /// The name is durable before the call returns. The replaced file becomes the new preallocated file, so
    /// that the call does not wait for its removal.
    case exchanged
    /// The file is replaced or removed soon. Its name becomes durable with the next fsync(2) of its
    /// directory.
    case temporary
  }
}

extension Descriptor {
  /// Returns the file offset (lseek(2), `SEEK_CUR`).
  borrowing func position() throws(SystemCallError) -> Int64 {
    let raw = rawValue
    return Int64(try check("lseek") { lseek(raw, 0, SEEK_CUR) })
  }
}
