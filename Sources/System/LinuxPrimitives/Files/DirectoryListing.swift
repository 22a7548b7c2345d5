// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// Returns the names in an open directory, unordered, without `.` and `..`.
  ///
  /// A name that is not UTF-8 contains replacement characters, and the entry cannot be opened by it. Use
  /// ``entryNames()`` where any name must be handled.
  package borrowing func entries() throws(SystemCallError) -> [String] {
    try entryNames().map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the names in an open directory as bytes, unordered, without `.` and `..`.
  ///
  /// At most `limit` names are returned, so that a directory with millions of entries does not delay a caller
  /// that needs few.
  package borrowing func entryNames(atMost limit: Int = .max) throws(SystemCallError) -> [[UInt8]] {
    let raw = rawValue
    // Duplicates share the file offset with other readers of this descriptor, so the directory is opened
    // again.
    let own = Descriptor(
      owning: try check("openat") { darkroom_openat(raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
    )
    return try own.remainingNames(atMost: limit)
  }

  /// Returns the names from the current offset to the end of the directory (getdents64(2)). opendir(3) and
  /// readdir(3) would make three additional system calls.
  fileprivate borrowing func remainingNames(atMost limit: Int) throws(SystemCallError) -> [[UInt8]] {
    let raw = rawValue
    // The kernel searches the index of a large directory for each entry that it returns, so no more than the
    // limit is read.
    let size = limit < 64 ? 1 << 12 : 1 << 15
    let entries = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    defer { entries.deallocate() }
    var names: [[UInt8]] = []
    while names.count < limit {
      let end: Int
      do {
        end = try check("getdents64") { darkroom_directory_entries(raw, entries, size) }
      } catch  where error.errno == .noSuchFile {
        // Another process has removed the directory, which is therefore empty.
        return names
      }
      guard end > 0 else { return names }
      var entry = UnsafeRawBufferPointer(start: entries, count: end)
      while let length = entry.isEmpty ? nil : entry.loadUnaligned(fromByteOffset: 16, as: UInt16.self),
        names.count < limit
      {
        // The name follows the inode number, offset, length and type of the entry, and ends with a zero.
        let name = [UInt8](entry[19..<Int(length)].prefix { $0 != 0 })
        if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
        entry = UnsafeRawBufferPointer(rebasing: entry[Int(length)...])
      }
    }
    return names
  }
}

extension FileSystem {
  /// Returns the names in a directory in alphabetical order, or an empty array if the directory does not
  /// exist.
  package static func names(in path: String) throws(SystemCallError) -> [String] {
    do {
      return try open(path, [.directory]).remainingNames(atMost: .max)
        .map { String(decoding: $0, as: UTF8.self) }.sorted()
    } catch  where error.errno == .noSuchFile {
      return []
    }
  }

  /// Removes a whole tree, following no symbolic link. A missing path is not an error.
  ///
  /// Directories without permission are made accessible first, because they are removed anyway.
  package static func removeTree(_ path: String, in base: PathBase = .current) throws(SystemCallError) {
    do {
      try unlink(path, in: base)
      return
    } catch  where error.errno == .noSuchFile {
      return
    } catch  where error.errno == .isADirectory || error.errno == .notPermitted {
      // The path is a directory and is removed below.
    }
    do {
      try removeContents(of: path, in: base)
      try removeDirectory(path, in: base)
    } catch  where error.errno == .noSuchFile {
      return
    }
  }

  private static func removeContents(of path: String, in base: PathBase) throws(SystemCallError) {
    let directory: Descriptor
    do {
      directory = try open(path, in: base, [.directory, .noFollow])
    } catch  where error.errno == .permissionDenied {
      try check("fchmodat", path: path) { fchmodat(base.rawValue, path, 0o700, 0) }
      directory = try open(path, in: base, [.directory, .noFollow])
    }
    let raw = directory.rawValue
    for name in try directory.entryNames() {
      try removeEntry(name, in: raw, directory)
    }
  }

  private static func removeEntry(
    _ name: [UInt8],
    in raw: Int32,
    _ directory: borrowing Descriptor
  ) throws(SystemCallError) {
    let path = String(decoding: name, as: UTF8.self)
    if Array(path.utf8) == name {
      do {
        try removeTree(path, in: .directory(raw))
      } catch  where error.errno == .permissionDenied {
        try check("fchmod") { fchmod(raw, 0o700) }
        try removeTree(path, in: .directory(raw))
      }
      return
    }
    // The name is not UTF-8: rename the entry, then remove it.
    let spoken = "unspoken-\(Randomness.hexadecimal(bytes: 8))"
    try directory.renameEntry(name, to: Array(spoken.utf8), in: directory)
    try removeTree(spoken, in: .directory(raw))
  }
}
