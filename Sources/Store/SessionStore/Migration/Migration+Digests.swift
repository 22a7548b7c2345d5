// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives

/// The digests of the files.
extension Migration {
  /// The number of files that a thread claims at once.
  private static var filesAtOnce: Int { 8 }

  /// Computes the digest of each file, and quarantines files that changed after their verification.
  func takeDigests() throws(StoreError) {
    guard digests == .sha256, var inventory, let content = try openContent() else { return }
    let (files, marks) = (inventory.files, inventory.fingerprints)
    let found = try ParallelMap(chunkSize: Self.filesAtOnce).map(files.count) { (index) throws(StoreError) in
      try Self.digest(files[index], marks[index], in: content)
    }
    var changed: Set<Int> = []
    for (index, digest) in found.enumerated() {
      inventory.files[index].sha256 = digest
      if digest == nil { changed.insert(index) }
    }
    try quarantine(changed.sorted().map { files[$0].path }, of: content, .changed)
    inventory.remove(changed)
    self.inventory = inventory
  }

  /// Returns the digest of a file, or `nil` if the file has changed since its verification.
  private static func digest(
    _ file: SessionRecord.File,
    _ mark: ContentInventory.Fingerprint,
    in content: OpenDirectory
  ) throws(StoreError) -> String? {
    let open: Descriptor
    do {
      open = try FileSystem.openBeneath(content.descriptor, file.path, [.noFollow, .nonBlocking])
    } catch  where [.noSuchFile, .tooManyLinks, .crossDevice, .notADirectory].contains(error.errno) {
      return nil
    } catch { throw .system(error) }
    guard try isUnchanged(open, file, mark) else { return nil }
    let digest: SHA256Digest
    do { digest = try SHA256Digest.of(open) } catch { throw .digest(error) }
    return try isUnchanged(open, file, mark) ? digest.description : nil
  }

  private static func isUnchanged(
    _ open: borrowing Descriptor,
    _ file: SessionRecord.File,
    _ mark: ContentInventory.Fingerprint
  ) throws(StoreError) -> Bool {
    let status: FileStatus
    do { status = try open.status() } catch { throw .system(error) }
    return status.kind == .regular && status.size == file.size && ContentInventory.Fingerprint(status) == mark
  }

  /// Quarantines verified files for a reason that was found later.
  func quarantine(
    _ paths: [String],
    of content: OpenDirectory,
    _ reason: QuarantineReason
  ) throws(StoreError) {
    guard !paths.isEmpty else { return }
    var folder = QuarantineDirectory(app, places.id)
    for path in paths {
      let bytes = Array(path.utf8)
      let name = FileSystem.lastComponent(path)
      let parent = try system { () throws(SystemCallError) in
        try OpenDirectory(
          FileSystem.openBeneath(content.descriptor, FileSystem.directoryName(path), [.directory, .noFollow])
        )
      }
      let item = QuarantineDirectory.Item(
        name: Array(name.utf8),
        path: EntryPath(bytes: bytes),
        reason: reason
      )
      try folder.add([item], from: parent)
    }
  }
}
