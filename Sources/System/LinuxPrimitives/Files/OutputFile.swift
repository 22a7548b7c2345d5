// SPDX-License-Identifier: Apache-2.0

/// A path that a person has named for results.
///
/// A file is replaced when all is there, and a symbolic link to one with it: who plants a link where somebody writes shall
/// not choose what is overwritten. What is no file, or a descriptor of this process (`/dev/null`, a named pipe,
/// `/dev/stdout`, `/dev/fd/3`), is written into and stays what it is: to replace it would take it from all others. A pipe
/// has to be this user's or root's, for one that somebody has planted has a reader as well.
package struct OutputFile: Sendable {
  private let path: String

  /// Names a path; nothing is looked at yet.
  package init(_ path: String) { self.path = path }

  /// What becomes of what has the path.
  private enum Use {
    /// It is replaced, or there is nothing yet.
    case replaced
    /// It is written into, if it is still this one.
    case extended(FileStatus)
    /// It is this descriptor of this process, which goes on where whoever has it as well has come to.
    case descriptor(Int32)
  }

  /// Throws what ``write(_:mode:)`` would throw that can be known before there is anything to write.
  package func check() throws(OutputFileError) {
    guard case .replaced = try use() else { return }
    do { try FileSystem.checkWritable(FileSystem.directoryName(path)) } catch { throw .system(error) }
  }

  /// Writes all of it.
  package func write(_ bytes: [UInt8], mode: UInt32) throws(OutputFileError) {
    try write(mode: mode) { (file) throws(SystemCallError) in try file.writeAll(bytes) }
  }

  /// The same with contents that are written piece by piece, from the beginning if need be.
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

  /// Opens what was found. A pipe that nobody reads is an error; else nothing could end the waiting for somebody who does.
  private func open(_ found: FileStatus) throws(OutputFileError) -> Descriptor {
    do throws(SystemCallError) {
      let file = try FileSystem.open(path, [.write, .append, .noTerminal, .nonBlocking])
      let opened = try file.status()
      if (opened.device, opened.inode) == (found.device, found.inode) { return file }
    } catch {
      throw found.kind == .fifo && error.errno == .noSuchAddress ? .unread(path) : .system(error)
    }
    throw .swapped(path)
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
      // A link that leads nowhere.
      if error.errno == .noSuchFile { return .replaced }
      throw .system(error)
    }
    switch found.kind {
    case .regular: return .replaced
    // Nobody plants a device; in a container that of the machine has an owner that is nobody there.
    case .characterDevice: return .extended(found)
    case .fifo:
      guard Self.isTrusted(found) else { throw .planted(path, owner: found.owner) }
      return .extended(found)
    // What is on a whole disk shall not go by a slip.
    case .directory, .blockDevice, .socket, .symbolicLink: throw .unfit(path, found.kind)
    }
  }

  /// Whether nobody has planted it but who could do anything to this process.
  private static func isTrusted(_ found: FileStatus) -> Bool {
    found.owner == 0 || found.owner == CurrentProcess.effectiveUserID
  }

  /// The descriptor of this process that a symbolic link leads to (proc_pid_fd(5)); nil: it leads elsewhere.
  private func ownDescriptor() throws(SystemCallError) -> Int32? {
    var link = path
    // As many as the kernel follows (path_resolution(7)).
    for _ in 0..<40 {
      guard try FileSystem.status(link)?.kind == .symbolicLink else { return nil }
      let directory = FileSystem.directoryName(link)
      if let number = Int32(FileSystem.lastComponent(link)), Self.isOwn(directory) { return number }
      let target = try FileSystem.linkTarget(link)
      link = target.hasPrefix("/") ? target : "\(directory)/\(target)"
    }
    return nil
  }

  /// Whether a directory is that of this process's descriptors.
  private static func isOwn(_ directory: String) -> Bool {
    guard let path = try? FileSystem.realPath(directory) else { return false }
    return ["/proc/self/fd", "/proc/thread-self/fd"].contains { (try? FileSystem.realPath($0)) == path }
  }
}
