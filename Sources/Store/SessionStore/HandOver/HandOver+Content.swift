// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The steps from the end of the session to the record.
extension HandOver {
  /// Writes the outcome into the journal, unless an earlier one stands there: the first cause wins. Where the record follows
  /// at once, that says it, and the journal stays as it is; else it is on the disk before the content is said to be (``awaitEnding()``).
  func end() throws(StoreError) {
    removeCopies()
    guard case .running = journal.phase, try !isBrief() else { return }
    // Asked while nobody has it open.
    knowsWriters = ContentVerification.knowsWriters(places)
    journal.phase = .ended(record)
    ending = .ended(journal, places)
  }

  /// Removes copies of what the person has: they are not the extension's, and none of them is counted as erased. Where there are none
  /// their directory goes with all that is left, because to free it takes a file system its time.
  private func removeCopies() {
    let path = places.libraryDirectory
    guard let directory = try? FileSystem.open(path, [.directory, .noFollow]) else { return }
    if (try? directory.entryNames(atMost: 1))?.isEmpty != true { try? FileSystem.removeTree(path) }
  }

  /// Waits for what ``end()`` has begun to write.
  func awaitEnding() throws(StoreError) { try ending.take()?.wait() }

  /// Whether so little is to be verified that the record is written within a moment. To write the outcome before it would
  /// take as long as all of that, and whoever is killed meanwhile has died before anybody was told how the session ended.
  ///
  /// Recovery does not know how often it was killed itself, and always writes it.
  private func isBrief() throws(StoreError) -> Bool {
    guard provenance == .host, digests == .none, let content = try openContent() else { return false }
    return try system { () throws(SystemCallError) in
      // One that is so large holds many names, or has.
      guard try content.descriptor.status().size <= Self.briefDirectory else { return false }
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
  /// How many bytes a directory has at most whose names are read within a moment.
  private static let briefDirectory: Int64 = 1 << 16

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
    let knowsWriters = self.knowsWriters ?? ContentVerification.knowsWriters(places)
    var verification = try ContentVerification(for: app, places, journal.content, knowsWriters: knowsWriters)
    try verification.run(content)
    inventory = try boundHoles(verification.inventory, of: content)
  }

  /// Moves sparse files aside with which a copy of the content without holes would need too much space. A copy keeps holes
  /// only if every program on its way does.
  private func boundHoles(
    _ inventory: ContentInventory,
    of content: OpenDirectory
  ) throws(StoreError) -> ContentInventory {
    guard journal.content.form == .portable else { return inventory }
    let beyond = inventory.sparseFiles(beyond: journal.content.mostBytes)
    try quarantine(beyond.map { inventory.files[$0].path }, of: content, .sparse)
    var bounded = inventory
    bounded.leaveOut(Set(beyond))
    return bounded
  }

  /// How many files and directories are made durable one by one, each of which can be a commit of the file system's
  /// journal. With more, one call for the whole file system is cheaper, although it also waits for what others have
  /// written.
  private static var filesSynchronizedSingly: Int { 8 }

  /// Makes the content durable, and beside it the text of the record, for all that it says is known: who has many files waits for
  /// the disk long enough, and the record of many is long.
  func synchronize() throws(StoreError) {
    try awaitEnding()
    guard let inventory, let content = try openContent() else { return }
    try completeRecord()
    recordWrite = try SpaceReserve(places).begin(record)
    try synchronize(content, inventory)
    try recordWrite?.synchronize()
  }

  /// Makes the content durable: data, modes, names. Content without a file is not delivered, and needs nothing.
  ///
  /// What was kept apart is not opened, so that only the call for the whole file system can make it durable.
  private func synchronize(
    _ content: consuming OpenDirectory,
    _ inventory: ContentInventory
  ) throws(StoreError) {
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
}
