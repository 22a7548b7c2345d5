// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Synchronization

/// How the files of one file system are recognized among those that processes have.
package struct FileSystemMark: Sendable, Hashable {
  /// The device of a file, as stat(2) has it.
  package var device: UInt64
  /// The same as `/proc/PID/maps` has it; nil where that names files otherwise than stat(2) does.
  package var mapped: String?

  /// Finds out by a file that is made in a directory and has no name then.
  package init(of directory: String) throws(SystemCallError) {
    let path = "\(directory)/nameless.\(Randomness.hexadecimal(bytes: 6))"
    let file = try FileSystem.open(path, [.readWrite, .create, .exclusive])
    try FileSystem.unlink(path)
    let status = try file.status()
    device = status.device
    let mapping = try Mapping(file, length: MachineMemory.pageSize, .read)
    mapped = nil
    ProcessFacts(CurrentProcess.processID)?.eachDeletedMapping { found in
      if found.inode == status.inode { mapped = found.device }
    }
    _ = consume mapping
  }
}

extension FileSystemMark {
  /// By what a file system is known again: the device of a directory on it, and its own number (statvfs(3), `f_fsid`).
  private struct Key: Equatable {
    var device: UInt64
    var number: UInt

    init(_ directory: String) throws(SystemCallError) {
      var result = statvfs()
      try check("statvfs", path: directory) { statvfs(directory, &result) }
      number = result.f_fsid
      guard let status = try FileSystem.status(directory) else {
        throw SystemCallError("stat", path: directory, errno: .noSuchFile)
      }
      device = status.device
    }
  }

  /// What this process has found out, the latest in front.
  private static let found = Mutex<[(key: Key, mark: FileSystemMark)]>([])
  /// How much of it is kept: a host has few places for sessions.
  private static let mostFound = 8

  /// The same, found out once for each file system: it looks through all memory of this process, of which a host of many
  /// sessions has much.
  package static func known(of directory: String) throws(SystemCallError) -> FileSystemMark {
    let key = try Key(directory)
    if let known = found.withLock({ $0.first { $0.key == key }?.mark }) { return known }
    let mark = try FileSystemMark(of: directory)
    // It may have been impossible to look just now.
    guard mark.mapped != nil else { return mark }
    found.withLock { found in
      found.insert((key, mark), at: 0)
      if found.count > mostFound { found.removeLast() }
    }
    return mark
  }
}
