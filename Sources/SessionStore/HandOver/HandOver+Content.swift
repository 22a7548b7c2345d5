// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The steps from the end of the session to the record.
extension HandOver {
  /// Writes the outcome into the journal, unless an earlier one stands there: the first cause wins. Where the record follows
  /// at once, that says it, and the journal stays as it is.
  func end() throws(StoreError) {
    // Copies of what the person has: they are not the extension's, and none of them is counted as erased.
    try? FileSystem.removeTree(places.libraryDirectory)
    if case .running = journal.phase, try !isBrief() {
      var ended = journal
      ended.phase = .ended(record)
      try SpaceReserve(places).write(ended, to: places.journalFile)
      journal = ended
    }
  }

  /// Whether so little is to be verified that the record is written within a moment. To write the outcome before it would
  /// take as long as all of that, and whoever is killed meanwhile has died before anybody was told how the session ended.
  ///
  /// Recovery does not know how often it was killed itself, and always writes it.
  private func isBrief() throws(StoreError) -> Bool {
    guard provenance == .host, digests == .none, let content = try openContent() else { return false }
    return try system { () throws(SystemCallError) in
      let names = try content.descriptor.entryNames(atMost: Self.filesSynchronizedSingly + 1)
      guard names.count <= Self.filesSynchronizedSingly else { return false }
      var bytes: Int64 = 0
      for name in names {
        let status = try content.descriptor.status(of: name)
        guard let status, status.kind == .regular else { return false }
        bytes = saturatingSum(bytes, status.allocated)
      }
      return bytes <= Self.briefBytes
    }
  }

  /// How much of the file system content may take that is made durable within a moment.
  private static let briefBytes: Int64 = 1 << 20

  /// Whether the content is verified and durable, as a record says or its absence; a record found becomes ``record``.
  func isRecorded() throws(StoreError) -> Bool {
    for path in [places.recordFile, app.record(places.id)] {
      if let stored = try RecordFile.read(path) {
        record = stored
        return true
      }
    }
    // The content directory is older than the journal: where it is missing it was delivered, and the app has removed
    // the record since.
    // What was copied to another file system is no more than a leftover.
    if try exists(places.copiedMark) { return true }
    guard try exists(places.contentDirectory) else { return true }
    return provenance == .recovery ? try isLogged() : false
  }

  /// Whether the record is the file that was set aside for it, as it is after a power failure that has taken the new name from it:
  /// the log has its digest. It gets that name, and becomes ``record``.
  private func isLogged() throws(StoreError) -> Bool {
    let reserved = SpaceReserve(places).recordFile
    let status = try system { () throws(SystemCallError) in try FileSystem.status(reserved) }
    guard let status, status.kind == .regular, status.size > 0 else { return false }
    // What was begun and not written to its end has no line; a log that cannot be read keeps no content from its app.
    guard let entry = (try? SessionLog(app.root).entry(.session(places.id))) ?? nil,
      let digest = StoredRecord.digest(of: reserved), digest == entry.note.session?.recordDigest
    else { return false }
    try system { () throws(SystemCallError) in
      try FileSystem.moveFile(reserved, to: places.recordFile, .noReplace)
      try FileSystem.synchronizeDirectory(places.directory)
    }
    guard let stored = try RecordFile.read(places.recordFile) else { return false }
    record = stored
    return true
  }

  /// The content directory; nil if it is in its place already.
  func openContent() throws(StoreError) -> OpenDirectory? {
    do {
      return try OpenDirectory(
        Accessible.openDirectory(places.contentDirectory)
      )
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
  }

  /// Looks at everything in the content directory, and makes it ordinary or moves it aside.
  func verify() throws(StoreError) {
    if try isRecorded() { return }
    guard let content = try openContent() else { return }
    var verification = try ContentVerification(for: app, places)
    try verification.run(content)
    inventory = verification.inventory
  }

  /// How many files and directories are made durable one by one, each of which can be a commit of the file system's
  /// journal. With more, one call for the whole file system is cheaper, although it also waits for what others have
  /// written.
  private static var filesSynchronizedSingly: Int { 8 }

  /// Makes the content durable: data, modes, names. Content without a file is not delivered, and needs nothing.
  ///
  /// What was kept apart is not opened, so that only the call for the whole file system can make it durable.
  func synchronize() throws(StoreError) {
    guard let inventory, let content = try openContent() else { return }
    let isKeptApart = try !keptApart().isEmpty
    guard isKeptApart || !inventory.files.isEmpty else { return }
    if isKeptApart { try QuarantineFolder.synchronize(app, places.id) }
    if isKeptApart || inventory.files.count + inventory.directories > Self.filesSynchronizedSingly {
      try system { () throws(SystemCallError) in try content.descriptor.synchronizeFileSystem() }
      return
    }
    var walk = TreeWalk(content)
    while let directory = try walk.next() {
      var inside: [[UInt8]] = []
      try system { () throws(SystemCallError) in
        for name in try directory.open.descriptor.entryNames() {
          let entry = try directory.open.descriptor.openEntry(name, [.nonBlocking])
          if try entry.status().kind == .directory { inside.append(name) } else { try entry.synchronize() }
        }
        try directory.open.descriptor.synchronize()
      }
      walk.descend(into: inside)
    }
  }

  /// What was kept from the app: by the verification, which is the last to add to it, and by earlier ones.
  private func keptApart() throws(StoreError) -> [SessionRecord.Quarantined] {
    if let quarantined { return quarantined }
    let found = try QuarantineFolder.contents(of: app, places.id)
    if inventory != nil { quarantined = found }
    return found
  }

  /// Completes the record and writes it durably beside the content.
  func writeRecord() throws(StoreError) {
    // Who has verified the content found no record before.
    if inventory == nil, try isRecorded() { return }
    if let inventory {
      record.files = inventory.files
      record.normalised = inventory.normalised
      record.content = SessionRecord.Content(
        files: Int64(inventory.files.count),
        bytes: inventory.files.reduce(0) { saturatingSum($0, $1.size) },
        delivered: !inventory.files.isEmpty
      )
    }
    record.quarantined = try keptApart()
    // The line in the log, which follows, says which file it is, whatever its name after a power failure.
    let use: FileSystem.ReservedUse = provenance == .host ? .passing : .lasting
    let digest = try SpaceReserve(places).write(record, to: places.recordFile, use)
    written = digest.map { WrittenRecord(record: record, digest: $0) }
  }
}
