// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A file to be added as an asset, in a directory to which an untrusted process may write at the same time.
///
/// The file is opened below the open directory, without following symbolic links or crossing mount points. It
/// is examined before it is opened, because opening a FIFO could block and opening a device could have side
/// effects.
struct SourceFile: ~Copyable {
  /// The file, open for reading.
  let descriptor: Descriptor
  /// The status when the file was opened.
  let status: FileStatus
  /// The path relative to the directory, for messages.
  let path: String

  /// Opens a file of at most `limit` bytes.
  static func open(
    _ path: String,
    in directory: borrowing Descriptor,
    limit: Int64
  ) throws(PhotoLibraryError) -> SourceFile {
    let found = try reach(path) { () throws(SystemCallError) in
      try FileSystem.openBeneath(directory, path, [.path, .noFollow])
    }
    let raw = found.rawValue
    // The examined file itself, even if it was renamed.
    let status = try reach(path) { () throws(SystemCallError) in
      try Descriptor.duplicate(of: raw).status()
    }
    if let fault = fault(status, limit) { throw .unsuitableFile(path: path, fault) }
    let opened = try reach(path) { () throws(SystemCallError) in
      try FileSystem.open("/proc/self/fd/\(raw)", [.nonBlocking])
    }
    _ = consume found
    return SourceFile(descriptor: opened, status: status, path: path)
  }

  /// Runs `body`. Its failure means that the file is not accessible.
  private static func reach<Result: ~Copyable>(
    _ path: String,
    _ body: () throws(SystemCallError) -> Result
  ) throws(PhotoLibraryError) -> Result {
    do { return try body() } catch { throw .unsuitableFile(path: path, .unreachable(error.errno)) }
  }

  private static func fault(_ status: FileStatus, _ limit: Int64) -> PhotoLibraryError.FileFault? {
    if status.kind != .regular { return .notRegular(status.kind) }
    if status.links != 1 { return .links(status.links) }
    if status.permissions & 0o7000 != 0 { return .specialBits }
    if status.size == 0 { return .empty }
    return status.size > limit ? .tooLarge(bytes: status.size, limit: limit) : nil
  }

  /// Copies the file up to its original size. Throws if the file changes during the copy.
  ///
  /// The file is copied even if it could be renamed: a process that has it open could continue to write, but
  /// assets must not change. A lease (`F_SETLEASE`) would not show all of these processes. A descriptor
  /// opened with `O_PATH` does not count as open for a lease, and can be reopened for writing later. If the
  /// file system supports it, the copy shares blocks and needs no space.
  borrowing func copy(to target: borrowing Descriptor) throws(PhotoLibraryError) {
    let copied: Int64
    let after: FileStatus
    do {
      copied = try descriptor.copy(atMost: status.size, to: target)
      after = try descriptor.status()
    } catch  where error.errno.isOutOfSpace {
      throw .noSpace(path: path)
    } catch { throw .system(error) }
    guard copied == status.size, after.size == status.size, after.modified == status.modified,
      after.links <= 1
    else { throw .unsuitableFile(path: path, .changed) }
  }
}
