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
    // fdopendir takes the descriptor over, and a duplicate would share its offset: so open the directory anew.
    let copy = try check("openat") { darkroom_openat(raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
    guard let stream = fdopendir(copy) else {
      let error = SystemCallError("fdopendir")
      _ = CLinux.close(copy)
      throw error
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while names.count < limit {
      darkroom_clear_errno()
      guard let entry = readdir(stream) else {
        if darkroom_errno() != 0 { throw SystemCallError("readdir") }
        return names
      }
      let name = darkroom_entry_name(entry)
      let bytes = [UInt8](UnsafeRawBufferPointer(start: name, count: strlen(name)))
      if bytes != [0x2E], bytes != [0x2E, 0x2E] { names.append(bytes) }
    }
    return names
  }
}

extension FileSystem {
  /// The names in a directory in alphabetical order; none if there is no such directory.
  package static func names(in path: String) throws(SystemCallError) -> [String] {
    do {
      return try open(path, [.directory]).entries().sorted()
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
    let terminated = name.map { CChar(bitPattern: $0) } + [0]
    try check("renameat2") { renameat2(raw, terminated, raw, spoken, UInt32(RENAME_NOREPLACE)) }
    try removeTree(spoken, in: .directory(raw))
  }
}
