// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Synchronization

/// The identity of a file system, by which its files are recognized among the open and mapped files of
/// processes.
package struct FileSystemIdentity: Sendable, Hashable {
  /// The device of its files, as returned by stat(2).
  package var device: UInt64
  /// The device of its files in `/proc/PID/maps`, or `nil` if that file shows other devices than stat(2).
  package var mapped: String?

  /// Determines the identity with a temporary file in a directory, which is unlinked at once.
  package init(of directory: String) throws(SystemCallError) {
    let path = "\(directory)/nameless.\(Randomness.hexadecimal(bytes: 6))"
    let file = try FileSystem.open(path, [.readWrite, .create, .exclusive])
    try FileSystem.unlink(path)
    let status = try file.status()
    device = status.device
    let mapping = try Mapping(file, length: MachineMemory.pageSize, .read)
    mapped = nil
    ProcessFacts(CurrentProcess.processID)?.forEachDeletedMapping { found in
      if found.inode == status.inode { mapped = found.device }
    }
    _ = consume mapping
  }
}

extension FileSystemIdentity {
  /// The key of a cached identity: the device of a directory and the ID of its file system (statvfs(3),
  /// `f_fsid`).
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

  /// The cached identities, most recently found first.
  private static let found = Mutex<[(key: Key, mark: FileSystemIdentity)]>([])
  /// The maximum number of cached identities. A host has few directories for sessions.
  private static let maximumCached = 8

  /// Returns the identity of a file system from the cache, or determines it. This reads all mappings of this
  /// process, which are many in a host with many sessions.
  package static func cached(of directory: String) throws(SystemCallError) -> FileSystemIdentity {
    let key = try Key(directory)
    if let known = found.withLock({ $0.first { $0.key == key }?.mark }) { return known }
    let mark = try FileSystemIdentity(of: directory)
    // The mappings may have been unreadable only temporarily.
    guard mark.mapped != nil else { return mark }
    found.withLock { found in
      found.insert((key, mark), at: 0)
      if found.count > maximumCached { found.removeLast() }
    }
    return mark
  }
}
