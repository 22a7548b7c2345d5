// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// The names in an open directory, in no order, without `.` and `..`.
  ///
  /// A name that is not UTF-8 is given with replacement characters and can then not be opened by that name; use
  /// ``entryNames()`` where any name must be handled.
  package borrowing func entries() throws(SystemCallError) -> [String] {
    try entryNames().map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in an open directory as the bytes that they are, in no order, without `.` and `..`.
  ///
  /// At most `limit` are given: whoever needs no more must not be kept by a directory of millions.
  package borrowing func entryNames(atMost limit: Int = .max) throws(SystemCallError) -> [[UInt8]] {
    let raw = rawValue
    // Whoever else reads this descriptor would share its offset, as with a duplicate: so open the directory anew.
    let own = Descriptor(
      owning: try check("openat") { darkroom_openat(raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
    )
    return try own.remainingNames(atMost: limit)
  }

  /// The names from where the descriptor is to the end of the directory (getdents64(2)). opendir(3) and its relatives ask
  /// three things of the descriptor besides.
  fileprivate borrowing func remainingNames(atMost limit: Int) throws(SystemCallError) -> [[UInt8]] {
    let raw = rawValue
    // What the kernel reads of a large directory it has to find in its index: no more of that than is asked for.
    let size = limit < 64 ? 1 << 12 : 1 << 15
    let entries = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    defer { entries.deallocate() }
    var names: [[UInt8]] = []
    while names.count < limit {
      let end: Int
      do {
        end = try check("getdents64") { darkroom_directory_entries(raw, entries, size) }
      } catch  where error.errno == .noSuchFile {
        // Somebody has removed the directory meanwhile; nothing is in it any more.
        return names
      }
      guard end > 0 else { return names }
      var entry = UnsafeRawBufferPointer(start: entries, count: end)
      while let length = entry.isEmpty ? nil : entry.loadUnaligned(fromByteOffset: 16, as: UInt16.self),
        names.count < limit
      {
        // Number, offset and length of the entry and the kind of file come before the name, which ends with a zero.
        let name = [UInt8](entry[19..<Int(length)].prefix { $0 != 0 })
        if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
        entry = UnsafeRawBufferPointer(rebasing: entry[Int(length)...])
      }
    }
    return names
  }
}

extension FileSystem {
  /// The names in a directory in alphabetical order; none if there is no such directory.
  package static func names(in path: String) throws(SystemCallError) -> [String] {
    do {
      return try open(path, [.directory]).remainingNames(atMost: .max)
        .map { String(decoding: $0, as: UTF8.self) }.sorted()
    } catch  where error.errno == .noSuchFile {
      return []
    }
  }

  /// Removes a whole tree, following no symbolic link; what is gone already is no error.
  ///
  /// Directories that may not be entered are made enterable first: they are about to go.
  package static func removeTree(_ path: String, in base: PathBase = .current) throws(SystemCallError) {
    do {
      try unlink(path, in: base)
      return
    } catch  where error.errno == .noSuchFile {
      return
    } catch  where error.errno == .isADirectory || error.errno == .notPermitted {
      // A directory: go on below.
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
    // Not UTF-8: give it a name that can be spoken, then remove that.
    let spoken = "unspoken-\(Randomness.hexadecimal(bytes: 8))"
    try directory.renameEntry(name, to: Array(spoken.utf8), in: directory)
    try removeTree(spoken, in: .directory(raw))
  }
}
