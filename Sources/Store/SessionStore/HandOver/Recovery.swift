// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Finishes what crashes have interrupted. Safe at any time, beside live sessions and other hosts.
package enum Recovery {
  /// What was done about one session.
  package enum Finding: Sendable {
    /// A host is at work on it; it was left alone.
    case live
    /// Its hand-over was finished.
    case finished(HandOverResult)
    /// It was never launched; its directory was removed.
    case neverStarted
    /// Only the deletion of its leftovers was missing.
    case erased
    /// Its journal is damaged but it has content. Everything was left in place for a person to look at.
    case damaged(StoreError)
    /// It could not be finished now; the next recovery tries again.
    case failed(StoreError)
  }

  /// One session and what was done about it.
  package struct Report: Sendable {
    /// The session.
    package let session: SessionID
    /// What was done.
    package let finding: Finding
  }

  /// What a whole run did.
  package struct Summary: Sendable {
    /// What was done about each session, in the order of their ids.
    package var sessions: [Report] = []
    /// How many things were deleted that waited in the trash.
    package var discarded = 0
    /// Whether something may still wait in the trash.
    package var hasTrash = true
    /// Why something else could not be tidied up; nil if everything was.
    package var fault: StoreError?

    /// Whether there was a session that nobody is at any more.
    var hasFound: Bool {
      sessions.contains { report in
        if case .live = report.finding { false } else { true }
      }
    }

    /// Whether there is nothing that a person has to look at.
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

  /// Finishes every session whose lock nobody holds, and empties the trash.
  ///
  /// `ingested` says what a session has added to the photo library, whose own recovery must have been made before: what
  /// was moved there must not be handed over as well. `camera` is given each camera that a dead host's session has set
  /// otherwise, sets it back, and says whether that is done. `trash` says how much of the trash is emptied before it returns;
  /// with a beginning of it, the records of an app are not looked through either, unless somebody has died.
  ///
  /// - Throws: ``StoreError/refused(_:)``, and nothing was changed, if the system calls are refused that this needs.
  package static func run(
    in root: StateRoot,
    trash thoroughness: Trash.Thoroughness = .whole,
    digests: DigestChoice = .none,
    telling journalOfMachine: SystemJournal? = nil,
    ingested: (SessionID) -> [SessionRecord.Ingested] = { _ in [] },
    camera: (CameraNotes.Left) -> Bool = { _ in true }
  ) throws(StoreError) -> Summary {
    try StateRoot.checkCalls()
    var summary = Summary()
    for places in try root.sessionPlaces() {
      guard
        let finding = attempt({ () throws(StoreError) in
          try finish(places, thoroughness, digests, journalOfMachine, ingested, camera)
        })
      else {
        continue
      }
      summary.sessions.append(Report(session: places.id, finding: finding))
    }
    let trash = try root.trashNames()
    for places in root.buriedPlaces(among: trash) {
      guard
        let finding = attempt({ () throws(StoreError) in try finishErasing(places, thoroughness, digests) })
      else {
        continue
      }
      summary.sessions.append(Report(session: places.id, finding: finding))
    }
    do {
      try removeLeftovers(of: root)
      // Who begins a session looks at its directory anyway.
      if thoroughness == .whole { try SpareDirectory(root).removeUnsound() }
      let hasSettled = try RemovalNote.settleAbandoned(in: root, among: trash)
      let records = records(thoroughness, summary, hasSettled: hasSettled)
      for id in try root.appIDs() { try removeLeftovers(of: root.app(id), records) }
      // Who finds nothing to do looks into the trash once; what somebody is at is put there by nobody else.
      summary.hasTrash = !trash.isEmpty || summary.hasFound
      if summary.hasTrash { summary.discarded = try Trash(root).empty(thoroughness) }
    } catch { summary.fault = error }
    return summary
  }

  /// One session's failure must not keep the others from being finished.
  private static func attempt(_ body: () throws(StoreError) -> Finding?) -> Finding? {
    do { return try body() } catch { return .failed(error) }
  }

  /// Finishes a session that is not buried yet; nil if somebody else has meanwhile.
  private static func finish(
    _ places: SessionPlaces,
    _ thoroughness: Trash.Thoroughness,
    _ digests: DigestChoice,
    _ journalOfMachine: SystemJournal?,
    _ ingested: (SessionID) -> [SessionRecord.Ingested],
    _ camera: (CameraNotes.Left) -> Bool
  ) throws(StoreError) -> Finding? {
    guard let lock = try claim(places.lockFile, journal: places.journalFile, in: places.root, thoroughness)
    else {
      return try isThere(places.directory) ? .live : nil
    }
    // Whatever else is damaged. Once: the person may have set it otherwise by the next time.
    let notes = CameraNotes(places)
    if let left = notes.read(), camera(left) {
      try system { () throws(SystemCallError) in try notes.clear() }
    }
    let journal: Journal?
    do { journal = try Journal.read(places.journalFile) } catch { return .damaged(error) }
    guard let journal, journal.sessionID == places.id else {
      return try discardUnstarted(places, places.directory, journal)
    }
    // With its record the session has seen the end of its last process.
    if journal.phase == .waiting || journal.phase == .running { try LeftProcesses.end(places) }
    // Whatever it made was not captured: it had neither frames nor a context.
    if journal.phase == .waiting {
      try Trash(places.root).discard(places.directory)
      return .neverStarted
    }
    let app = try places.root.app(journal.app)
    try app.prepare()
    var draft = draft(journal)
    if case .running = journal.phase { draft.uses = UseNotes(places).read() }
    if draft.ingested.isEmpty { draft.ingested = ingested(places.id) }
    let handOver = HandOver(
      app: app,
      places: places,
      journal: journal,
      draft: draft,
      digests: digests,
      provenance: .recovery,
      telling: journalOfMachine,
      lock: lock
    )
    let result = try handOver.run()
    return result.logFault.map { .failed($0) } ?? .finished(result)
  }

  /// Takes a session's lock; nil if somebody has it. Who begins a session waits for nobody's.
  private static func claim(
    _ lockFile: String,
    journal: String,
    in root: StateRoot,
    _ thoroughness: Trash.Thoroughness
  ) throws(StoreError) -> FileLock? {
    switch thoroughness {
    case .whole: try DyingHost.claim(lockFile, journal: journal, in: root)
    case .beginning: try SessionClaim.claim(lockFile, in: root)
    }
  }

  /// The record as far as the journal knows it.
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

  /// Removes the directory of a session without a journal: its extension was never started, so there is nothing to lose. So
  /// with one that has another's journal: a power failure has taken it the name that it was about to be given
  /// (``SpareDirectory``), before which no extension is started.
  ///
  /// If there is content all the same, the journal was lost by other means, and a person must decide.
  private static func discardUnstarted(
    _ places: SessionPlaces,
    _ directory: String,
    _ journal: Journal?
  ) throws(StoreError) -> Finding {
    let content = "\(directory)/content"
    if try isThere(content), try ContentMeter.measure(content).entries > 0 {
      let fault = journal.map { DocumentReader($0.json).fault("sessionID", "\(places.id)") } ?? .missing
      return .damaged(.damaged(path: "\(directory)/journal.json", fault))
    }
    try Trash(places.root).discard(directory)
    return .neverStarted
  }

  /// Finishes the deletion of a buried session; nil if somebody else is at it.
  private static func finishErasing(
    _ places: SessionPlaces,
    _ thoroughness: Trash.Thoroughness,
    _ digests: DigestChoice
  ) throws(StoreError) -> Finding? {
    guard
      let lock = try claim(
        places.buriedLockFile,
        journal: places.buriedJournalFile,
        in: places.root,
        thoroughness
      )
    else { return nil }
    guard let journal = try Journal.read(places.buriedJournalFile) else {
      try Trash(places.root).discard(places.buriedDirectory)
      return .erased
    }
    guard journal.sessionID == places.id else {
      return try discardUnstarted(places, places.buriedDirectory, journal)
    }
    let handOver = HandOver(
      app: try places.root.app(journal.app),
      places: places,
      journal: journal,
      draft: draft(journal),
      digests: digests,
      provenance: .recovery,
      telling: nil,
      lock: lock
    )
    for step in [HandOverStep.erase, .acknowledge, .remove] { try handOver.perform(step) }
    return .erased
  }

  /// Whether what writers have left among the records of an app is looked for.
  private enum Records {
    case included, leftAlone
  }

  /// Who begins a session does not look through all records of all sessions before it, of which an app can have many
  /// thousands: only where somebody has died who may have been writing one. What nobody knows of is removed by a whole
  /// recovery, and until then nobody reads it.
  private static func records(
    _ thoroughness: Trash.Thoroughness,
    _ summary: Summary,
    hasSettled: Bool
  ) -> Records {
    thoroughness == .whole || summary.hasFound || hasSettled ? .included : .leftAlone
  }

  private static func isThere(_ path: String) throws(StoreError) -> Bool {
    try system { () throws(SystemCallError) in try FileSystem.status(path) != nil }
  }

  /// Removes the temporary files of writers that died.
  private static func removeLeftovers(of root: StateRoot) throws(StoreError) {
    for directory in [root.path, root.keysDirectory, root.learningDirectory, root.logAsideDirectory] {
      try system { () throws(SystemCallError) in try UnfinishedFile.removeAbandoned(in: directory) }
    }
  }

  /// The same of an app, and the shared files that only dead sessions used.
  private static func removeLeftovers(of app: AppStore, _ records: Records) throws(StoreError) {
    try SharedAssets(app).removeUnused()
    if try isThere(app.removedDirectory) { _ = try Trash(at: app.removedDirectory).empty() }
    var directories = [app.directory, app.activitiesDirectory, app.contextDirectory]
    if records == .included { directories.append(app.recordsDirectory) }
    for directory in directories {
      try system { () throws(SystemCallError) in try UnfinishedFile.removeAbandoned(in: directory) }
    }
  }
}

extension StateRoot {
  /// What is in the trash.
  func trashNames() throws(StoreError) -> [String] {
    try system { () throws(SystemCallError) in try FileSystem.names(in: trashDirectory) }
  }

  /// The places of all sessions whose directory waits in the trash, with these names.
  func buriedPlaces(among names: [String]) -> [SessionPlaces] {
    let prefix = "session-"
    return names.filter { $0.hasPrefix(prefix) }
      .compactMap { SessionID(String($0.dropFirst(prefix.count))) }
      .map(session)
  }
}
