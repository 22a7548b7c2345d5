// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// The transaction that moves a session's content into its app's container and erases the rest.
///
/// All processes of the session must have exited. The steps are in ``MigrationStep``; after a crash at any
/// point, ``Recovery`` finishes the transaction. The session's lock is held until this value is
/// deinitialized.
package final class Migration {
  let app: AppStore
  let places: SessionPaths
  let digests: DigestChoice
  /// The draft of the record, which is complete after ``MigrationStep/record``.
  var record: SessionRecord
  var journal: Journal
  /// The running write of the outcome to the journal, or `nil` if there is none. Declared before the lock, so
  /// that it is released before the lock.
  var outcomeWrite: JournalWrite?
  /// Whether the file system can report if a file is open for writing, or `nil` if that was not tested.
  var canDetectWriters: Bool?
  /// The result of the verification, or `nil` if an earlier process verified the content.
  var inventory: ContentInventory?
  /// The quarantined items, or `nil` if they were not read since the verification.
  var quarantined: [SessionRecord.Quarantined]?
  /// The written record before its final rename.
  var recordWrite: RecordWrite?
  /// The record that this process has written, or `nil` if there is none or its digest is unknown.
  var written: WrittenRecord?
  /// The delivery that was moved to the mailbox.
  var delivery: AppDelivery?
  /// The process that runs the migration.
  let provenance: Provenance
  /// The files that the session added to the photo library, with the paths that the extension used.
  let ingested: [SessionRecord.Ingested]
  /// The system journal that receives the log entry, or `nil` for none.
  let systemJournal: SystemJournal?
  /// The state of the session's log entry.
  var logging = LoggingState.pending
  private let lock: FileLock
  private var timings: [SessionRecord.Step] = []

  /// Creates the migration of a session that this process ran.
  ///
  /// - Parameters:
  ///   - workspace: The directory of the session.
  ///   - draft: The record without the parts about the content.
  ///   - digests: Whether the record contains digests of the files.
  ///   - systemJournal: The system journal that receives the log entry, or `nil` for none.
  package convenience init(
    _ workspace: consuming SessionWorkspace,
    draft: SessionRecord,
    digests: DigestChoice = .none,
    forwardingTo systemJournal: SystemJournal? = nil
  ) {
    self.init(
      app: workspace.app,
      places: workspace.places,
      journal: workspace.journal,
      draft: draft,
      digests: digests,
      provenance: .host,
      forwardingTo: systemJournal,
      lock: workspace.lock
    )
  }

  /// Creates the migration of a session whose lock was claimed. Completed steps are skipped.
  init(
    app: AppStore,
    places: SessionPaths,
    journal: Journal,
    draft: SessionRecord,
    digests: DigestChoice,
    provenance: Provenance,
    forwardingTo systemJournal: SystemJournal?,
    lock: consuming FileLock
  ) {
    self.app = app
    self.places = places
    self.journal = journal
    self.digests = digests
    self.provenance = provenance
    self.systemJournal = systemJournal
    self.lock = lock
    record = draft
    ingested = draft.ingested
  }

  /// Runs all steps.
  ///
  /// If the log entry cannot be written, the steps stop before ``MigrationStep/trash``. The content is
  /// delivered by then, and recovery completes the rest.
  package func run() throws(StoreError) -> MigrationResult {
    for step in MigrationStep.allCases {
      if step == .trash, logging.fault != nil {
        try logWithReserve()
        if logging.fault != nil { break }
      }
      try perform(step)
    }
    return result
  }

  /// Runs one step. The steps before it must have been completed by this or an earlier process.
  ///
  /// If the disk is full, the space reserve is released and the step runs again: the extension may have
  /// filled the disk.
  package func perform(_ step: MigrationStep) throws(StoreError) {
    let began = MonotonicClock.now
    do throws(StoreError) { try execute(step) } catch {
      guard error.isFull else { throw error }
      // The outcome is being written into a part of the reserve.
      try? awaitOutcomeWrite()
      guard try SpaceReserve(places).release() else { throw error }
      try execute(step)
    }
    let microseconds = Int64((MonotonicClock.now - began) / 1000)
    timings.append(SessionRecord.Step(name: step.rawValue, microseconds: microseconds))
  }

  private func execute(_ step: MigrationStep) throws(StoreError) {
    switch step {
    case .writeOutcome: try writeOutcome()
    case .verify: try verify()
    case .digest: try takeDigests()
    case .synchronize: try synchronize()
    case .record: try writeRecord()
    case .log: try logWithReserve()
    case .publish: try publish()
    case .deliver: try deliver()
    case .notify: try notifyApp()
    case .trash: try moveToTrash()
    case .erase: try erase()
    case .recordErasure: try recordErasure()
    case .remove: try remove()
    }
  }

  /// The result of the steps completed so far.
  package var result: MigrationResult {
    MigrationResult(
      record: record,
      contentPath: record.content.delivered ? app.content(places.id) : nil,
      delivery: delivery,
      logFault: logging.fault,
      steps: timings
    )
  }

  /// Whether a file exists.
  func exists(_ path: String) throws(StoreError) -> Bool {
    try system { () throws(SystemCallError) in try FileSystem.status(path) != nil }
  }
}
