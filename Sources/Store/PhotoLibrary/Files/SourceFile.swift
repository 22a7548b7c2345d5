// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A file that shall become an asset, in a directory in which somebody hostile may write at the same time.
///
/// It is found below the open directory, over no link and no mount, and looked at before it is opened: opening a FIFO
/// could wait and opening a device could do anything.
struct SourceFile: ~Copyable {
  /// The file, open for reading.
  let descriptor: Descriptor
  /// What it was when it was opened.
  let status: FileStatus
  /// Its path below the directory, for messages.
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
    // The very file that is looked at, whatever has its name by now.
    let status = try reach(path) { () throws(SystemCallError) in
      try Descriptor.duplicate(of: raw).status()
    }
    if let fault = fault(status, limit) { throw .unfit(path: path, fault) }
    let opened = try reach(path) { () throws(SystemCallError) in
      try FileSystem.open("/proc/self/fd/\(raw)", [.nonBlocking])
    }
    _ = consume found
    return SourceFile(descriptor: opened, status: status, path: path)
  }

  /// Makes a call whose failure means that the file cannot be had.
  private static func reach<Result: ~Copyable>(
    _ path: String,
    _ body: () throws(SystemCallError) -> Result
  ) throws(PhotoLibraryError) -> Result {
    do { return try body() } catch { throw .unfit(path: path, .unreachable(error.errno)) }
  }

  private static func fault(_ status: FileStatus, _ limit: Int64) -> PhotoLibraryError.FileFault? {
    if status.kind != .regular { return .notRegular(status.kind) }
    if status.links != 1 { return .links(status.links) }
    if status.permissions & 0o7000 != 0 { return .specialBits }
    if status.size == 0 { return .empty }
    return status.size > limit ? .tooLarge(bytes: status.size, limit: limit) : nil
  }

  /// Copies the file, never more than it had when it was opened, and fails if it has changed meanwhile.
  ///
  /// A copy, also where the file could be renamed: whoever holds it open could go on writing to it, and what is in the
  /// library does not change. A lease (`F_SETLEASE`) would not show all of them: a descriptor that is only a path is no
  /// open file to it, and can become one later. Where the file system can, the copy shares the blocks and costs nothing.
  borrowing func copy(to target: borrowing Descriptor) throws(PhotoLibraryError) {
    let copied: Int64
    let after: FileStatus
    do {
      copied = try descriptor.copy(atMost: status.size, to: target)
      after = try descriptor.status()
    } catch  where error.errno.isFull {
      throw .noSpace(path: path)
    } catch { throw .system(error) }
    guard copied == status.size, after.size == status.size, after.modified == status.modified,
      after.links <= 1
    else { throw .unfit(path: path, .changed) }
  }
}
