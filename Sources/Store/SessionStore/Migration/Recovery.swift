// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Recovery of sessions whose host died. It is safe at any time, including next to live sessions and other
/// hosts.
package enum Recovery {
  /// The result for one session.
  package enum Finding: Sendable {
    /// A host is running the session. Recovery left it alone.
    case live
    /// The migration was finished.
    case finished(MigrationResult)
    /// The session was never launched. Its directory was removed.
    case neverStarted
    /// The deletion of leftovers was finished.
    case erased
    /// The journal is damaged, but there is content. Recovery left everything in place, and the user must
    /// decide.
    case damaged(StoreError)
    /// Recovery of the session failed. The next recovery tries again.
    case failed(StoreError)
  }

  /// A session and the result of its recovery.
  package struct Report: Sendable {
    /// The ID of the session.
    package let session: SessionID
    /// The result.
    package let finding: Finding
  }

  /// The result of a recovery.
  package struct Summary: Sendable {
    /// The results for all sessions, ordered by session ID, those in the trash last.
    package var sessions: [Report] = []
    /// The number of entries that were deleted from the trash.
    package var discarded = 0
    /// Whether the trash may contain further entries.
    package var hasTrash = true
    /// The first error of the general cleanup, or `nil` if it succeeded.
    package var fault: StoreError?

    /// Whether a session without a live host was found.
    var hasAbandonedSession: Bool {
      sessions.contains { report in
        if case .live = report.finding { false } else { true }
      }
    }

    /// Whether no result requires the attention of the user.
    package var isClean: Bool {
      fault == nil
        && sessions.allSatisfy { report in
          switch report.finding {
          case .damaged, .failed: false
          case .live, .finished, .neverStarted, .erased: true
          }
        }
    }
  }

  /// Finishes every session without a live host, and empties the trash.
  ///
  /// - Parameters:
  ///   - root: The state root.
  ///   - thoroughness: Whether the trash is emptied completely. With ``Trash/Thoroughness/beginning``, the
  ///     directories of records are cleaned up only if a process may have died while writing one.
  ///   - digests: Whether the records contain digests of files.
  ///   - systemJournal: The system journal that receives log entries, or `nil` for none.
  ///   - ingested: Returns the files that a session added to the photo library. The library must have been
  ///     recovered before, so that these files are not migrated as well.
  ///   - camera: Restores the settings of a camera that a dead host's session changed, and returns whether it
  ///     succeeded.
  ///
  /// - Returns: The result for each session, and of the general cleanup.
  ///
  /// - Throws: ``StoreError/refused(_:)`` if required system calls are refused. No state was changed then.
  package static func run(
    in root: StateRoot,
    trash thoroughness: Trash.Thoroughness = .complete,
    digests: DigestChoice = .none,
    forwardingTo systemJournal: SystemJournal? = nil,
    ingested: (SessionID) -> [SessionRecord.Ingested] = { _ in [] },
    camera: (CameraSettingsBackup.Camera) -> Bool = { _ in true }
  ) throws(StoreError) -> Summary {
    try StateRoot.checkSystemCalls()
    var summary = Summary()
    for places in try root.sessionPaths() {
      guard
        let finding = attempt({ () throws(StoreError) in
          try finish(places, thoroughness, digests, systemJournal, ingested, camera)
        })
      else {
        continue
      }
      summary.sessions.append(Report(session: places.id, finding: finding))
    }
    let trash = try root.namesInTrash()
    for places in root.trashedSessionPaths(among: trash) {
      guard
        let finding = attempt({ () throws(StoreError) in try finishErasing(places, thoroughness, digests) })
      else {
        continue
      }
      summary.sessions.append(Report(session: places.id, finding: finding))
    }
    do {
      try removeLeftovers(of: root)
      // Before a session, ``SpareDirectory`` checks its directory anyway.
      if thoroughness == .complete { try SpareDirectory(root).removeInvalid() }
      let hasCompleted = try RemovalIntent.completeAbandoned(in: root, among: trash)
      let records = records(thoroughness, summary, hasCompleted: hasCompleted)
      for id in try root.appIDs() { try removeLeftovers(of: root.app(id), records) }
      // If recovery found no sessions to finish, no entries were added to the trash, and the earlier listing
      // is current.
      summary.hasTrash = !trash.isEmpty || summary.hasAbandonedSession
      if summary.hasTrash { summary.discarded = try Trash(root).empty(thoroughness) }
    } catch { summary.fault = error }
    return summary
  }

  /// Runs a recovery step and turns its error into a finding, so that the failure of one session does not
  /// stop the recovery of others.
  private static func attempt(_ body: () throws(StoreError) -> Finding?) -> Finding? {
    do { return try body() } catch { return .failed(error) }
  }

  /// Finishes a session that is not in the trash, or returns `nil` if another process has finished it.
  private static func finish(
    _ places: SessionPaths,
    _ thoroughness: Trash.Thoroughness,
    _ digests: DigestChoice,
    _ systemJournal: SystemJournal?,
    _ ingested: (SessionID) -> [SessionRecord.Ingested],
    _ camera: (CameraSettingsBackup.Camera) -> Bool
  ) throws(StoreError) -> Finding? {
    guard let lock = try claim(places.lockFile, journal: places.journalFile, in: places.root, thoroughness)
    else {
      return try exists(places.directory) ? .live : nil
    }
    // Restore the camera even if the journal is damaged, but only once: the user may have changed the camera
    // by the next recovery.
    let notes = CameraSettingsBackup(places)
    if let left = notes.read(), camera(left) {
      try system { () throws(SystemCallError) in try notes.clear() }
    }
    let journal: Journal?
    do { journal = try Journal.read(places.journalFile) } catch { return .damaged(error) }
    guard let journal, journal.sessionID == places.id else {
      return try discardUnstarted(places, places.directory, journal)
    }
    // A later phase shows that all processes of the session have exited.
    if journal.phase == .prewarmed || journal.phase == .running { try OrphanedProcesses.terminate(places) }
    // A prewarmed extension has neither frames nor a context, so its files are not captures.
    if journal.phase == .prewarmed {
      try Trash(places.root).discard(places.directory)
      return .neverStarted
    }
    let app = try places.root.app(journal.app)
    try app.prepare()
    var draft = draft(journal)
    if case .running = journal.phase { draft.uses = DeviceUseFile(places).read() }
    if draft.ingested.isEmpty { draft.ingested = ingested(places.id) }
    let migration = Migration(
      app: app,
      places: places,
      journal: journal,
      draft: draft,
      digests: digests,
      provenance: .recovery,
      forwardingTo: systemJournal,
      lock: lock
    )
    let result = try migration.run()
    return result.logFault.map { .failed($0) } ?? .finished(result)
  }

  /// Claims the lock of a session, or returns `nil` if another process holds it. A recovery before a session
  /// start does not wait for exiting hosts.
  private static func claim(
    _ lockFile: String,
    journal: String,
    in root: StateRoot,
    _ thoroughness: Trash.Thoroughness
  ) throws(StoreError) -> FileLock? {
    switch thoroughness {
    case .complete: try ExitedHost.claim(lockFile, journal: journal, in: root)
    case .partial: try SessionClaim.claim(lockFile, in: root)
    }
  }

  /// Returns the draft of the record from the journal.
  private static func draft(_ journal: Journal) -> SessionRecord {
    if case .ended(let record) = journal.phase { return record }
    var draft = SessionRecord(
      sessionID: journal.sessionID,
      app: journal.app,
      extensionID: journal.extensionID,
      startedAt: journal.startedAt,
      endedAt: WallClock.milliseconds,
      outcome: .dismissed(.init(by: .hostDied))
    )
    draft.debugging = journal.debugging
    return draft
  }

  /// Removes the directory of a session that was never started, which shows in a missing journal.
  ///
  /// A journal of another session has the same meaning: a power failure reverted the rename of the session's
  /// first journal (``SpareDirectory``), and an extension starts only after that journal is durable.
  ///
  /// If there is content nevertheless, the journal was lost for another reason, and the user must decide.
  private static func discardUnstarted(
    _ places: SessionPaths,
    _ directory: String,
    _ journal: Journal?
  ) throws(StoreError) -> Finding {
    let content = "\(directory)/content"
    if try exists(content), try ContentMeter.measure(content).entries > 0 {
      let fault = journal.map { DocumentReader($0.json).fault("sessionID", "\(places.id)") } ?? .missing
      return .damaged(.damaged(path: "\(directory)/journal.json", fault))
    }
    try Trash(places.root).discard(directory)
    return .neverStarted
  }

  /// Finishes the deletion of a session in the trash, or returns `nil` if another process is doing so.
  private static func finishErasing(
    _ places: SessionPaths,
    _ thoroughness: Trash.Thoroughness,
    _ digests: DigestChoice
  ) throws(StoreError) -> Finding? {
    guard
      let lock = try claim(
        places.trashedLockFile,
        journal: places.trashedJournalFile,
        in: places.root,
        thoroughness
      )
    else { return nil }
    guard let journal = try Journal.read(places.trashedJournalFile) else {
      try Trash(places.root).discard(places.trashedDirectory)
      return .erased
    }
    guard journal.sessionID == places.id else {
      return try discardUnstarted(places, places.trashedDirectory, journal)
    }
    let migration = Migration(
      app: try places.root.app(journal.app),
      places: places,
      journal: journal,
      draft: draft(journal),
      digests: digests,
      provenance: .recovery,
      forwardingTo: nil,
      lock: lock
    )
    for step in [MigrationStep.erase, .recordErasure, .remove] { try migration.perform(step) }
    return .erased
  }

  /// Whether recovery removes temporary files from the directory of records.
  private enum Records {
    case included, skipped
  }

  /// Returns whether to clean up the directory of records.
  ///
  /// An app can have thousands of records, so a recovery before a session start skips them unless a process
  /// may have died while writing one. Temporary files are never read, and a complete recovery removes them.
  private static func records(
    _ thoroughness: Trash.Thoroughness,
    _ summary: Summary,
    hasCompleted: Bool
  ) -> Records {
    thoroughness == .complete || summary.hasAbandonedSession || hasCompleted ? .included : .skipped
  }

  private static func exists(_ path: String) throws(StoreError) -> Bool {
    try system { () throws(SystemCallError) in try FileSystem.status(path) != nil }
  }

  /// Removes the temporary files of dead processes in the directories of the root.
  private static func removeLeftovers(of root: StateRoot) throws(StoreError) {
    for directory in [root.path, root.keysDirectory, root.learningDirectory, root.logQuarantineDirectory] {
      try system { () throws(SystemCallError) in try UnfinishedFile.removeAbandoned(in: directory) }
    }
  }

  /// Removes the temporary files of dead processes in the directories of an app, and its unused shared files.
  private static func removeLeftovers(of app: AppStore, _ records: Records) throws(StoreError) {
    try SharedAssets(app).removeUnused()
    if try exists(app.containerTrashDirectory) { _ = try Trash(at: app.containerTrashDirectory).empty() }
    var directories = [app.directory, app.activitiesDirectory, app.contextDirectory]
    if records == .included { directories.append(app.recordsDirectory) }
    for directory in directories {
      try system { () throws(SystemCallError) in try UnfinishedFile.removeAbandoned(in: directory) }
    }
  }
}

extension StateRoot {
  /// Returns the names of the entries in the trash.
  func namesInTrash() throws(StoreError) -> [String] {
    try system { () throws(SystemCallError) in try FileSystem.names(in: trashDirectory) }
  }

  /// Returns the paths of the sessions whose directories are among the named entries of the trash.
  func trashedSessionPaths(among names: [String]) -> [SessionPaths] {
    let prefix = "session-"
    return names.filter { $0.hasPrefix(prefix) }
      .compactMap { SessionID(String($0.dropFirst(prefix.count))) }
      .map(session)
  }
}
