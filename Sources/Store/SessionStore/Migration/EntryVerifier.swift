// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The verification of a single entry of a content directory, including the sanitization of a regular file.
///
/// The value is stateless, so that several threads can use it at the same time.
struct EntryVerifier: Sendable {
  /// The device number of the content directory.
  let device: UInt64
  /// The limits of each path.
  let limits: Limits
  let sanitizer: ContentSanitizer
  /// Whether the file system can report if a file is open for writing.
  let canDetectWriters: Bool

  /// Limits of a path.
  struct Limits: Sendable {
    /// The maximum depth of a directory.
    let depth: Int
    /// The maximum length in bytes.
    let pathBytes: Int
  }

  /// The decision on an entry.
  enum Decision: Sendable {
    /// The entry is a directory to be visited.
    case enter
    /// The entry is a file that may be delivered.
    case keep(ContentInventory.Entry)
    /// The entry no longer exists.
    case removed
    /// The entry must be quarantined.
    case reject(QuarantineReason)
  }

  /// The decision on an entry, and the changes that sanitized it.
  struct Verdict: Sendable {
    var decision: Decision
    var changes: [Sanitization] = []
    /// The inode number, or `nil` if the entry no longer exists.
    var inode: UInt64?
  }

  /// Verifies an entry.
  ///
  /// The status is read before the entry is opened, and the opened file must be the same one. `invalidName` is the
  /// reason for which the name may not be delivered, or `nil` if it may.
  func verify(
    _ name: [UInt8],
    _ invalidName: QuarantineReason?,
    in parent: TreeWalk.Directory
  ) throws(StoreError) -> Verdict {
    let (directory, path) = (parent.open, parent.path.appending(name))
    guard
      let status = try system({ () throws(SystemCallError) in try directory.descriptor.status(of: name) })
    else { return Verdict(decision: .removed) }
    if let reason = fault(status) ?? invalidName ?? fault(path, depth: parent.depth + 1, status) {
      return Verdict(decision: .reject(reason), inode: status.inode)
    }
    do {
      if status.device != device, try !isInSameMount(name, status, in: directory) {
        return Verdict(decision: .reject(.otherFileSystem), inode: status.inode)
      }
      return status.kind == .directory
        ? try enter(name, status, in: directory) : try keep(name, path, status, in: directory)
    } catch {
      switch error.errno {
      case .noSuchFile: return Verdict(decision: .removed)
      case .permissionDenied, .notPermitted:
        return Verdict(decision: .reject(.notSanitizable), inode: status.inode)
      // Another mount of the same file system.
      case .crossDevice: return Verdict(decision: .reject(.otherFileSystem), inode: status.inode)
      // Another process has replaced the entry with a symbolic link.
      case .tooManyLinks: return Verdict(decision: .reject(.changed), inode: status.inode)
      default: throw .system(error)
      }
    }
  }

  /// Returns the reason for which an entry may not be delivered according to its status, or `nil` if there is
  /// none.
  private func fault(_ status: FileStatus) -> QuarantineReason? {
    switch status.kind {
    case .symbolicLink: return .symbolicLink
    case .fifo: return .fifo
    case .socket: return .socket
    case .characterDevice, .blockDevice: return .device
    case .regular where status.links != 1: return .hardLink
    case .regular, .directory: return nil
    }
  }

  /// Returns the reason for which an entry may not be delivered according to its path, or `nil` if there is
  /// none.
  private func fault(_ path: EntryPath, depth: Int, _ status: FileStatus) -> QuarantineReason? {
    if path.bytes.count > limits.pathBytes { return .pathTooLong }
    return status.kind == .directory && depth > limits.depth ? .tooDeep : nil
  }

  /// Whether a file with another device number is in the same mount as its directory.
  ///
  /// On overlayfs with layers on several file systems, every file can have another device number
  /// (Documentation/filesystems/overlayfs, "Inode properties").
  private func isInSameMount(
    _ name: [UInt8],
    _ status: FileStatus,
    in directory: OpenDirectory
  ) throws(SystemCallError) -> Bool {
    guard status.kind == .regular else { return false }
    do { _ = try directory.descriptor.openEntry(name, [.path]) } catch  where error.errno == .crossDevice {
      return false
    }
    return true
  }

  /// Makes a directory accessible for the walk, after checking that it is not a mount point.
  private func enter(
    _ name: [UInt8],
    _ status: FileStatus,
    in directory: OpenDirectory
  ) throws(SystemCallError) -> Verdict {
    _ = try directory.descriptor.openEntry(name, [.path])
    let opened = try OwnerAccess.makeAccessible(name, status, in: directory)
    return Verdict(decision: .enter, changes: opened, inode: status.inode)
  }

  /// Sanitizes a regular file and returns its inventory entry.
  private func keep(
    _ name: [UInt8],
    _ path: EntryPath,
    _ status: FileStatus,
    in directory: OpenDirectory
  ) throws(SystemCallError) -> Verdict {
    let opened = try OwnerAccess.makeAccessible(name, status, in: directory)
    let file = try directory.descriptor.openEntry(name, [.nonBlocking])
    let found = try file.status()
    guard FileIdentity(found) == FileIdentity(status) else {
      return Verdict(decision: .reject(.changed), inode: status.inode)
    }
    guard let changes = try sanitizer.sanitize(file, found) else {
      return Verdict(decision: .reject(.notSanitizable), inode: status.inode)
    }
    // Check after the change of owner and mode, which prevents further opens by other users.
    if canDetectWriters, file.writers() == .some {
      return Verdict(decision: .reject(.heldOpen), changes: opened + changes, inode: status.inode)
    }
    let final = try file.status()
    guard final.links == 1 else { return Verdict(decision: .reject(.hardLink), inode: status.inode) }
    return Verdict(
      decision: .keep(ContentInventory.Entry(path, final)),
      changes: opened + changes,
      inode: status.inode
    )
  }
}
