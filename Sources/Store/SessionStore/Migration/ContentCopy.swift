// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A copy operation for verified content to another file system. It preserves directories, file data, holes
/// and times.
enum ContentCopy {
  /// Copies an open directory to `target`, which must not exist, and makes the copy durable.
  static func copy(_ source: OpenDirectory, to target: String) throws(StoreError) {
    let copy = try system { () throws(SystemCallError) in
      try FileSystem.makeDirectory(target)
      return try OpenDirectory(FileSystem.open(target, [.directory, .noFollow]))
    }
    var walk = TreeWalk(source)
    while let directory = try walk.next() {
      var subdirectories: [[UInt8]] = []
      for name in try system({ () throws(SystemCallError) in try directory.open.descriptor.entryNames() }) {
        if try copyEntry(name, of: directory, to: copy) { subdirectories.append(name) }
      }
      walk.descend(into: subdirectories)
    }
    try system { () throws(SystemCallError) in try copy.descriptor.synchronizeFileSystem() }
  }

  /// Copies an entry without the contents of a directory.
  ///
  /// - Returns: Whether the entry is a directory.
  private static func copyEntry(
    _ name: [UInt8],
    of directory: TreeWalk.Directory,
    to copy: OpenDirectory
  ) throws(StoreError) -> Bool {
    // Verification ensures that names are UTF-8 and that paths do not exceed `PATH_MAX`.
    let path = directory.path.appending(name).text
    let raw = copy.descriptor.rawValue
    do throws(SystemCallError) {
      let file = try directory.open.descriptor.openEntry(name, [.nonBlocking])
      let status = try file.status()
      if status.kind == .directory {
        try FileSystem.makeDirectory(path, in: .directory(raw))
        return true
      }
      guard status.kind == .regular else {
        throw SystemCallError("openat2", path: path, errno: .invalidArgument)
      }
      let flags: OpenFlags = [.write, .create, .exclusive, .noFollow]
      let new = try FileSystem.open(path, in: .directory(raw), flags)
      try file.copySparsely(to: new)
      try new.setTimes(accessed: status.accessed, modified: status.modified)
      return false
    } catch { throw .system(error) }
  }
}
