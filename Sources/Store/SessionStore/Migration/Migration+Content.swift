// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The steps from the end of the session to the record.
extension Migration {
  /// Starts writing the outcome to the journal, unless the journal has one: the first cause wins.
  ///
  /// For small content, the record follows immediately and replaces this step. Otherwise ``awaitOutcomeWrite()``
  /// waits for the write, before the content is synchronized.
  func writeOutcome() throws(StoreError) {
    removeCopies()
    guard case .running = journal.phase, try !isSmall() else { return }
    // Detect writers while no process has the journal open.
    canDetectWriters = ContentVerification.canDetectWriters(places)
    journal.phase = .ended(record)
    outcomeWrite = .ended(journal, places)
  }

  /// Removes the copies of photo library assets. They are not created by the extension and not counted as
  /// erased.
  ///
  /// An empty directory is removed later with the rest of the session, because freeing it takes time on some
  /// file systems.
  private func removeCopies() {
    let path = places.libraryDirectory
    guard let directory = try? FileSystem.open(path, [.directory, .noFollow]) else { return }
    if (try? directory.entryNames(atMost: 1))?.isEmpty != true { try? FileSystem.removeTree(path) }
  }

  /// Waits for the write that ``writeOutcome()`` started.
  func awaitOutcomeWrite() throws(StoreError) { try outcomeWrite.take()?.wait() }

  /// Whether the content is so small that verification takes no longer than a write of the outcome.
  ///
  /// In that case the outcome is not written to the journal first. If the host is killed during verification,
  /// the outcome has not been reported to any client yet.
  ///
  /// Recovery always writes the outcome, because it cannot know how often earlier recoveries were killed.
  private func isSmall() throws(StoreError) -> Bool {
    guard provenance == .host, digests == .none, let content = try openContent() else { return false }
    return try system { () throws(SystemCallError) in
      // A larger directory has or had many entries.
      guard try content.descriptor.status().size <= Self.smallDirectoryBytes else { return false }
      let names = try content.descriptor.entryNames(atMost: Self.maximumSynchronizedFiles + 1)
      guard names.count <= Self.maximumSynchronizedFiles else { return false }
      var bytes: Int64 = 0
      for name in names {
        let status = try content.descriptor.status(of: name)
        guard let status, status.kind == .regular else { return false }
        bytes = saturatingSum(bytes, status.allocated)
      }
      return bytes <= Self.smallContentBytes
    }
  }

  /// The maximum allocated size in bytes of small content.
  private static let smallContentBytes: Int64 = 1 << 20
  /// The maximum size in bytes of a directory that is fast to list.
  private static let smallDirectoryBytes: Int64 = 1 << 16

  /// Opens the content directory, or returns `nil` if it has already been delivered.
  func openContent() throws(StoreError) -> OpenDirectory? {
    do {
      return try OpenDirectory(
        OwnerAccess.openDirectory(places.contentDirectory)
      )
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
  }

  /// Sanitizes or quarantines all entries of the content directory.
  func verify() throws(StoreError) {
    if try isRecorded() { return }
    guard let content = try openContent() else { return }
    let canDetectWriters = self.canDetectWriters ?? ContentVerification.canDetectWriters(places)
    var verification = try ContentVerification(
      for: app,
      places,
      journal.content,
      canDetectWriters: canDetectWriters
    )
    try verification.run(content)
    inventory = try quarantineExcessHoles(verification.inventory, of: content)
  }

  /// Quarantines sparse files if a copy of the content without holes would exceed the limit.
  ///
  /// A copy preserves holes only if every program that makes it supports them.
  private func quarantineExcessHoles(
    _ inventory: ContentInventory,
    of content: OpenDirectory
  ) throws(StoreError) -> ContentInventory {
    guard journal.content.form == .portable else { return inventory }
    let beyond = inventory.sparseFiles(beyond: journal.content.maximumBytes)
    try quarantine(beyond.map { inventory.files[$0].path }, of: content, .sparse)
    var bounded = inventory
    bounded.remove(Set(beyond))
    return bounded
  }

  /// The maximum number of files and directories that are synchronized one by one.
  ///
  /// Each fsync(2) can commit the file system's journal. Beyond this number, one syncfs(2) is cheaper,
  /// although it also waits for the writes of other processes.
  private static var maximumSynchronizedFiles: Int { 8 }

  /// Makes the content durable, and writes the text of the record at the same time.
  ///
  /// The contents of the record are final by now. Both the content and the record of many files take long to
  /// write.
  func synchronize() throws(StoreError) {
    try awaitOutcomeWrite()
    guard let inventory, let content = try openContent() else { return }
    try completeRecord()
    recordWrite = try SpaceReserve(places).startWriting(record)
    try synchronize(content, inventory)
    try recordWrite?.synchronize()
  }

  /// Makes the content durable: data, modes and names. Content without files is not delivered and needs no
  /// synchronization.
  ///
  /// Quarantined entries are never opened, so only syncfs(2) can make them durable.
  private func synchronize(
    _ content: consuming OpenDirectory,
    _ inventory: ContentInventory
  ) throws(StoreError) {
    let hasQuarantinedItems = try !quarantinedItems().isEmpty
    guard hasQuarantinedItems || !inventory.files.isEmpty else { return }
    if hasQuarantinedItems { try QuarantineDirectory.synchronize(app, places.id) }
    if hasQuarantinedItems || inventory.files.count + inventory.directories > Self.maximumSynchronizedFiles {
      try system { () throws(SystemCallError) in try content.descriptor.synchronizeFileSystem() }
      return
    }
    var walk = TreeWalk(content)
    while let directory = try walk.next() {
      var subdirectories: [[UInt8]] = []
      try system { () throws(SystemCallError) in
        for name in try directory.open.descriptor.entryNames() {
          let entry = try directory.open.descriptor.openEntry(name, [.nonBlocking])
          if try entry.status().kind == .directory {
            subdirectories.append(name)
          } else {
            try entry.synchronize()
          }
        }
        try directory.open.descriptor.synchronize()
      }
      walk.descend(into: subdirectories)
    }
  }
}
