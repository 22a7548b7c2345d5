// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Copies a bundle into the catalog, durable and read-only, without following symbolic links.
struct BundleCopy: ~Copyable {
  /// The buffer for file contents.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 4096)

  deinit { buffer.deallocate() }

  /// The reason why a copy failed. The copy must be discarded.
  enum Failure: Error {
    /// A file that a bundle must not contain: a special file, a directory that is too deep, or a name that is
    /// not UTF-8.
    case refused(path: String, ManifestFault)
    /// A system call failed.
    case systemCall(SystemCallError)
  }

  /// Copies a directory tree. `new` must not exist.
  static func copy(_ old: String, to new: String) throws(Failure) {
    do {
      let copy = BundleCopy()
      try copy.directory(from: try FileSystem.open(old, [.directory]), old, to: new, .current, depth: 0)
    } catch let error as Failure {
      throw error
    } catch let error as SystemCallError {
      throw .systemCall(error)
    } catch {
      // Unreachable: the calls throw only the two errors above, but the compiler joins them to `any Error`.
      throw .refused(path: old, .unreadable(call: "copy", errno: .invalidArgument))
    }
  }

  private borrowing func directory(
    from source: borrowing Descriptor,
    _ path: String,
    to name: String,
    _ base: PathBase,
    depth: Int
  ) throws {
    guard depth <= BundleTree.maximumDepth else {
      throw Failure.refused(path: path, .treeTooLarge(limit: BundleTree.maximumEntries))
    }
    try FileSystem.makeDirectory(name, in: base)
    let target = try FileSystem.open(name, in: base, [.directory, .noFollow])
    for bytes in try source.entryNames() {
      let name = String(decoding: bytes, as: UTF8.self)
      let below = "\(path)/\(name)"
      guard Array(name.utf8) == bytes else { throw Failure.refused(path: below, .nonUTF8Name) }
      try entry(name, below, from: .directory(source.rawValue), to: .directory(target.rawValue), depth: depth)
    }
    try target.setPermissions(0o555)
    try target.synchronize()
  }

  private borrowing func entry(
    _ name: String,
    _ path: String,
    from old: PathBase,
    to new: PathBase,
    depth: Int
  ) throws {
    guard let status = try FileSystem.status(name, in: old) else { return }
    switch status.kind {
    case .directory:
      let source = try FileSystem.open(name, in: old, [.directory, .noFollow])
      try directory(from: source, path, to: name, new, depth: depth + 1)
    case .symbolicLink:
      try FileSystem.makeSymbolicLink(name, in: new, to: try FileSystem.linkTarget(name, in: old))
    case .regular:
      // Nonblocking, in case the file has been replaced by a FIFO.
      let source = try FileSystem.open(name, in: old, [.read, .noFollow, .nonBlocking])
      let opened = try source.status()
      guard opened.kind == .regular else { throw Failure.refused(path: path, .specialFile(opened.kind)) }
      let target = try FileSystem.open(name, in: new, [.write, .create, .exclusive])
      try contents(of: source, to: target)
      // Programs may compare the modification time: Python ignores compiled code if the time of its source
      // differs.
      try target.setTimes(accessed: opened.accessed, modified: opened.modified)
      // Set-user-ID and similar bits are not copied.
      try target.setPermissions(opened.permissions & 0o111 == 0 ? 0o444 : 0o555)
      try target.synchronize()
    default:
      throw Failure.refused(path: path, .specialFile(status.kind))
    }
  }

  private borrowing func contents(
    of source: borrowing Descriptor,
    to target: borrowing Descriptor
  ) throws(SystemCallError) {
    while case .bytes(let count) = try source.read(into: buffer) {
      var written = 0
      while written < count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written..<count])
        written += try target.write(rest) ?? 0
      }
    }
  }
}
