// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Goes once through a content directory and leaves only what may reach the app.
///
/// Entries are known by descriptor: nothing is opened before the kernel has said what it is, and what was opened must
/// be what was looked at. Links are never followed, special files never opened.
struct ContentVerification {
  /// The longest path in bytes, of `PATH_MAX` without its end.
  private static let longestPath = 4095

  /// What may reach the app.
  private(set) var inventory = ContentInventory()
  private var quarantine: QuarantineFolder
  private let normaliser: Normaliser
  private var device: UInt64 = 0

  /// Verifies the content of a session.
  init(for app: AppStore, _ session: SessionID) throws(StoreError) {
    quarantine = QuarantineFolder(app, session)
    normaliser = try Normaliser(for: app.root)
  }

  /// Looks at everything.
  mutating func run(_ content: OpenDirectory) throws(StoreError) {
    device = content.identity.device
    var walk = TreeWalk(content)
    while let directory = try walk.next() {
      try verify(directory)
      walk.descend(into: try sift(directory))
    }
    try quarantine.finish()
  }

  /// Makes the directory itself ordinary.
  private mutating func verify(_ directory: TreeWalk.Directory) throws(StoreError) {
    let changes = try system { () throws(SystemCallError) in
      try normaliser.normalise(directory.open.descriptor, .directory)
    }
    guard let changes else {
      throw .system(SystemCallError("fchown", path: directory.path.text, errno: .notPermitted))
    }
    inventory.directories += 1
    note(changes, directory.path)
  }

  private mutating func note(_ changes: [Normalisation], _ path: EntryPath) {
    for change in changes {
      inventory.normalised.append(SessionRecord.Normalised(path: path.text, change: change))
    }
  }

  /// Looks at the entries of a directory, and gives those to be entered.
  private mutating func sift(_ directory: TreeWalk.Directory) throws(StoreError) -> [[UInt8]] {
    var inside: [[UInt8]] = []
    var rejected: [QuarantineFolder.Item] = []
    let names = try system { () throws(SystemCallError) in try directory.open.descriptor.entryNames() }
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let path = directory.path.appending(name)
      switch try judge(name, path, in: directory.open) {
      case .enter: inside.append(name)
      case .keep, .gone: break
      case .reject(let reason): rejected.append(QuarantineFolder.Item(name: name, path: path, reason: reason))
      }
    }
    if !rejected.isEmpty { try quarantine.take(rejected, from: directory.open) }
    return inside
  }

  /// What becomes of an entry.
  private enum Judgement {
    /// It is a directory to be looked at.
    case enter
    /// It is a file that may reach the app.
    case keep
    /// It is not there any more.
    case gone
    /// It may not reach the app.
    case reject(QuarantineReason)
  }

  private mutating func judge(
    _ name: [UInt8],
    _ path: EntryPath,
    in directory: OpenDirectory
  ) throws(StoreError) -> Judgement {
    guard
      let status = try system({ () throws(SystemCallError) in try directory.descriptor.status(of: name) })
    else { return .gone }
    if let reason = fault(name, path, status) { return .reject(reason) }
    do {
      if status.device != device, try !isHere(name, status, in: directory) {
        return .reject(.otherFileSystem)
      }
      if status.kind == .directory {
        if try Accessible.makeAccessible(name, status, in: directory) { note([.madeAccessible], path) }
        return .enter
      }
      return try keep(name, path, status, in: directory)
    } catch {
      switch error.errno {
      case .noSuchFile: return .gone
      case .permissionDenied, .notPermitted: return .reject(.notNormalisable)
      default: throw .system(error)
      }
    }
  }

  /// Why an entry may not reach the app, as far as name and status show it.
  private func fault(_ name: [UInt8], _ path: EntryPath, _ status: FileStatus) -> QuarantineReason? {
    switch status.kind {
    case .symbolicLink: return .symbolicLink
    case .fifo: return .fifo
    case .socket: return .socket
    case .characterDevice, .blockDevice: return .device
    case .regular where status.links != 1: return .hardLink
    case .regular, .directory: break
    }
    if let reason = FileName.fault(name) { return reason }
    return path.bytes.count > Self.longestPath ? .pathTooLong : nil
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

  /// Makes a regular file ordinary and lists it.
  private mutating func keep(
    _ name: [UInt8],
    _ path: EntryPath,
    _ status: FileStatus,
    in directory: OpenDirectory
  ) throws(SystemCallError) -> Judgement {
    let wasOpened = try Accessible.makeAccessible(name, status, in: directory)
    let file = try directory.descriptor.openEntry(name, [.nonBlocking])
    guard FileIdentity(try file.status()) == FileIdentity(status) else { return .reject(.changed) }
    guard let changes = try normaliser.normalise(file, .regular) else { return .reject(.notNormalisable) }
    note(wasOpened ? [.madeAccessible] + changes : changes, path)
    let final = try file.status()
    // RFC 3339 has no years before 0, and nothing was captured before 1970.
    let modified = max(0, final.modified / 1_000_000)
    inventory.files.append(SessionRecord.File(path: path.text, size: final.size, modified: modified))
    return .keep
  }
}
