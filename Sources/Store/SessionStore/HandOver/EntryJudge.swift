// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Looks at one entry of a content directory, and makes a file ordinary that may reach the app.
///
/// It keeps nothing, so that several threads can use it at once.
struct EntryJudge: Sendable {
  /// The device of the content directory.
  let device: UInt64
  /// The bounds of every path.
  let limits: Limits
  let normaliser: Normaliser
  /// Whether the file system says who writes to a file.
  let knowsWriters: Bool

  /// The bounds of a path.
  struct Limits: Sendable {
    /// The number of directories inside each other.
    let depth: Int
    /// The number of bytes.
    let pathBytes: Int
  }

  /// What becomes of an entry.
  enum Judgement: Sendable {
    /// It is a directory to be looked at.
    case enter
    /// It is a file that may reach the app.
    case keep(ContentInventory.Entry)
    /// It is not there any more.
    case gone
    /// It may not reach the app.
    case reject(QuarantineReason)
  }

  /// What becomes of an entry, and what was made ordinary about it.
  struct Verdict: Sendable {
    var judgement: Judgement
    var changes: [Normalisation] = []
    /// Its inode; nil if it was gone.
    var inode: UInt64?
  }

  /// Judges an entry, which may not reach the app if its name is `unfit`; what it is the kernel has said before it is opened,
  /// and what was opened must be what was looked at.
  func judge(
    _ name: [UInt8],
    _ unfit: QuarantineReason?,
    in parent: TreeWalk.Directory
  ) throws(StoreError) -> Verdict {
    let (directory, path) = (parent.open, parent.path.appending(name))
    guard
      let status = try system({ () throws(SystemCallError) in try directory.descriptor.status(of: name) })
    else { return Verdict(judgement: .gone) }
    if let reason = fault(status) ?? unfit ?? fault(path, depth: parent.depth + 1, status) {
      return Verdict(judgement: .reject(reason), inode: status.inode)
    }
    do {
      if status.device != device, try !isHere(name, status, in: directory) {
        return Verdict(judgement: .reject(.otherFileSystem), inode: status.inode)
      }
      return status.kind == .directory
        ? try enter(name, status, in: directory) : try keep(name, path, status, in: directory)
    } catch {
      switch error.errno {
      case .noSuchFile: return Verdict(judgement: .gone)
      case .permissionDenied, .notPermitted:
        return Verdict(judgement: .reject(.notNormalisable), inode: status.inode)
      // A mount of the same file system.
      case .crossDevice: return Verdict(judgement: .reject(.otherFileSystem), inode: status.inode)
      // Somebody has put a link there since.
      case .tooManyLinks: return Verdict(judgement: .reject(.changed), inode: status.inode)
      default: throw .system(error)
      }
    }
  }

  /// Why an entry may not reach the app, as far as its status shows it.
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

  /// Why an entry may not reach the app, as far as its place in the tree shows it.
  private func fault(_ path: EntryPath, depth: Int, _ status: FileStatus) -> QuarantineReason? {
    if path.bytes.count > limits.pathBytes { return .pathTooLong }
    return status.kind == .directory && depth > limits.depth ? .tooDeep : nil
  }

  /// Whether an entry with the number of another device lies in the directory's own mount all the same, as every file
  /// of an overlay may whose layers are several file systems (Documentation/filesystems/overlayfs, "Inode properties").
  private func isHere(
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

  /// Opens a directory up for the walk, and sees that nothing is mounted there.
  private func enter(
    _ name: [UInt8],
    _ status: FileStatus,
    in directory: OpenDirectory
  ) throws(SystemCallError) -> Verdict {
    _ = try directory.descriptor.openEntry(name, [.path])
    let opened = try Accessible.makeAccessible(name, status, in: directory)
    return Verdict(judgement: .enter, changes: opened, inode: status.inode)
  }

  /// Makes a regular file ordinary and lists it.
  private func keep(
    _ name: [UInt8],
    _ path: EntryPath,
    _ status: FileStatus,
    in directory: OpenDirectory
  ) throws(SystemCallError) -> Verdict {
    let opened = try Accessible.makeAccessible(name, status, in: directory)
    let file = try directory.descriptor.openEntry(name, [.nonBlocking])
    let found = try file.status()
    guard FileIdentity(found) == FileIdentity(status) else {
      return Verdict(judgement: .reject(.changed), inode: status.inode)
    }
    guard let changes = try normaliser.normalise(file, found) else {
      return Verdict(judgement: .reject(.notNormalisable), inode: status.inode)
    }
    // After it has got its owner and mode, so that nobody opens it any more who has it not open by now.
    if knowsWriters, file.writers() == .some {
      return Verdict(judgement: .reject(.heldOpen), changes: opened + changes, inode: status.inode)
    }
    let final = try file.status()
    guard final.links == 1 else { return Verdict(judgement: .reject(.hardLink), inode: status.inode) }
    return Verdict(
      judgement: .keep(ContentInventory.Entry(path, final)),
      changes: opened + changes,
      inode: status.inode
    )
  }
}
