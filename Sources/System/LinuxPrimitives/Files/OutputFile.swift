// SPDX-License-Identifier: Apache-2.0

/// A path to which a user wants results to be written.
///
/// A regular file is replaced when all results are written. So is a symbolic link to a regular file: a user
/// who plants a link in a shared directory must not choose the file that is overwritten.
///
/// Other files, such as `/dev/null` or a named pipe, are written to and not replaced. So are descriptors of
/// this process (`/dev/stdout`, `/dev/fd/3`). Replacing them would affect other processes. A named pipe must
/// belong to this user or root, because a planted pipe has a reader.
package struct OutputFile: Sendable {
  private let path: String

  /// Creates an output file for a path, which is not inspected yet.
  package init(_ path: String) { self.path = path }

  /// The way in which results are written to the path.
  private enum Use {
    /// The file is replaced, or does not exist yet.
    case replaced
    /// The file is opened and written to, if it is still the same file.
    case extended(FileStatus)
    /// This descriptor of the process is written to. It shares its offset with other users of the descriptor.
    case descriptor(Int32)
  }

  /// Throws the errors of ``write(_:mode:)`` that can be detected before there is data to write.
  package func check() throws(OutputFileError) {
    guard case .replaced = try use() else { return }
    do { try FileSystem.checkWritable(FileSystem.directoryName(path)) } catch { throw .system(error) }
  }

  /// Writes all bytes.
  package func write(_ bytes: [UInt8], mode: UInt32) throws(OutputFileError) {
    try write(mode: mode) { (file) throws(SystemCallError) in try file.writeAll(bytes) }
  }

  /// Writes data that `body` writes. `body` may be called again from the beginning.
  package func write(
    mode: UInt32,
    _ body: (borrowing Descriptor) throws(SystemCallError) -> Void
  ) throws(OutputFileError) {
    switch try use() {
    case .replaced:
      do { try FileSystem.replaceContents(path, mode: mode, body) } catch { throw .system(error) }
    case .extended(let found):
      let file = try open(found)
      do {
        try file.setBlocking()
        try body(file)
      } catch { throw .system(error) }
    case .descriptor(let number):
      do { try body(try Descriptor.duplicate(of: number)) } catch { throw .system(error) }
    }
  }

  /// Opens the file that was found. A named pipe without a reader is an error, because waiting for a reader
  /// could not be interrupted.
  private func open(_ found: FileStatus) throws(OutputFileError) -> Descriptor {
    do throws(SystemCallError) {
      let file = try FileSystem.open(path, [.write, .append, .noTerminal, .nonBlocking])
      let opened = try file.status()
      if (opened.device, opened.inode) == (found.device, found.inode) { return file }
    } catch {
      throw found.kind == .fifo && error.errno == .noSuchAddress ? .noReader(path) : .system(error)
    }
    throw .replacedMeanwhile(path)
  }

  private func use() throws(OutputFileError) -> Use {
    let found: FileStatus
    do throws(SystemCallError) {
      guard let own = try FileSystem.status(path) else { return .replaced }
      if own.kind == .symbolicLink {
        guard Self.isTrusted(own) else { return .replaced }
        if let number = try ownDescriptor() { return .descriptor(number) }
        found = try FileSystem.open(path, [.path]).status()
      } else {
        found = own
      }
    } catch {
      // A symbolic link with a missing target.
      if error.errno == .noSuchFile { return .replaced }
      throw .system(error)
    }
    switch found.kind {
    case .regular: return .replaced
    // Unprivileged users cannot create devices. In a container, a device of the machine can have an owner
    // without a user there.
    case .characterDevice: return .extended(found)
    case .fifo:
      guard Self.isTrusted(found) else { throw .foreignPipe(path, owner: found.owner) }
      return .extended(found)
    // The contents of a disk must not be overwritten by accident.
    case .directory, .blockDevice, .socket, .symbolicLink: throw .unsupportedKind(path, found.kind)
    }
  }

  /// Returns whether the file belongs to this user or to root, so that no other user can have planted it.
  private static func isTrusted(_ found: FileStatus) -> Bool {
    found.owner == 0 || found.owner == CurrentProcess.effectiveUserID
  }

  /// Returns the descriptor of this process that a symbolic link leads to (proc_pid_fd(5)), or `nil` if it
  /// leads elsewhere.
  private func ownDescriptor() throws(SystemCallError) -> Int32? {
    var link = path
    // The kernel's limit on symbolic links (path_resolution(7)).
    for _ in 0..<40 {
      guard try FileSystem.status(link)?.kind == .symbolicLink else { return nil }
      let directory = FileSystem.directoryName(link)
      if let number = Int32(FileSystem.lastComponent(link)), Self.isOwn(directory) { return number }
      let target = try FileSystem.linkTarget(link)
      link = target.hasPrefix("/") ? target : "\(directory)/\(target)"
    }
    return nil
  }

  /// Returns whether a directory lists the descriptors of this process.
  private static func isOwn(_ directory: String) -> Bool {
    guard let path = try? FileSystem.realPath(directory) else { return false }
    return ["/proc/self/fd", "/proc/thread-self/fd"].contains { (try? FileSystem.realPath($0)) == path }
  }
}
