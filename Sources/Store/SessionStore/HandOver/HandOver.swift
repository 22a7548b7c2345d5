// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// The transaction that moves a session's content into its app's container and erases the rest.
///
/// All processes of the session must have ended. The steps are in ``HandOverStep``; a crash between or in any two
/// of them leaves what ``Recovery`` finishes. The session's lock is held until this value goes away.
package final class HandOver {
  let app: AppStore
  let places: SessionPlaces
  let digests: DigestChoice
  /// The draft of the record, complete once ``HandOverStep/record`` is done.
  var record: SessionRecord
  var journal: Journal
  /// The journal that says how the session has ended, while it is written; nil: it is not. Before the lock, so that it goes before the
  /// lock.
  var ending: JournalWriting?
  /// Whether the file system says who writes to a file, if that was asked.
  var knowsWriters: Bool?
  /// What verification found; nil if it was not made by this process, because an earlier one had.
  var inventory: ContentInventory?
  /// What was kept from the app, as far as this process has looked since it verified the content.
  var quarantined: [SessionRecord.Quarantined]?
  /// The text of the record, from its writing until it has its name.
  var recordWrite: RecordWrite?
  /// The record as this process has written it; nil if it has not, or if its text has no digest.
  var written: WrittenRecord?
  /// What the app was told.
  var delivery: AppDelivery?
  /// Whose hand-over it is.
  let provenance: Provenance
  /// What the session has added to the photo library, by the paths that the extension knew.
  let ingested: [SessionRecord.Ingested]
  /// The journal that is told of the session; nil for none.
  let journalOfMachine: SystemJournal?
  /// Whether the session is in the log.
  var logging = LoggingState.pending
  private let lock: FileLock
  private var timings: [SessionRecord.Step] = []

  /// Begins the hand-over of a session that this process ran.
  ///
  /// `draft` is the record without everything that is about the content.
  package convenience init(
    _ workspace: consuming SessionWorkspace,
    draft: SessionRecord,
    digests: DigestChoice = .none,
    telling journalOfMachine: SystemJournal? = nil
  ) {
    self.init(
      app: workspace.app,
      places: workspace.places,
      journal: workspace.journal,
      draft: draft,
      digests: digests,
      provenance: .host,
      telling: journalOfMachine,
      lock: workspace.lock
    )
  }

  /// Continues, or begins, the hand-over of a session whose lock was claimed.
  init(
    app: AppStore,
    places: SessionPlaces,
    journal: Journal,
    draft: SessionRecord,
    digests: DigestChoice,
    provenance: Provenance,
    telling journalOfMachine: SystemJournal?,
    lock: consuming FileLock
  ) {
    self.app = app
    self.places = places
    self.journal = journal
    self.digests = digests
    self.provenance = provenance
    self.journalOfMachine = journalOfMachine
    self.lock = lock
    record = draft
    ingested = draft.ingested
  }

  /// Makes all steps.
  ///
  /// Without an entry in the log nothing is buried: the content is with its app, and recovery does the rest.
  package func run() throws(StoreError) -> HandOverResult {
    for step in HandOverStep.allCases {
      if step == .bury, logging.fault != nil {
        try logWithReserve()
        if logging.fault != nil { break }
      }
      try perform(step)
    }
    return result
  }

  /// Makes one step; the steps before it must have been made, by this process or an earlier one. One that finds the disk full
  /// is made once more with what was set aside for that: the extension may have filled it.
  package func perform(_ step: HandOverStep) throws(StoreError) {
    let began = MonotonicClock.now
    do throws(StoreError) { try make(step) } catch {
      guard error.isFull else { throw error }
      // It is written over a part of what is released.
      try? awaitEnding()
      guard try SpaceReserve(places).release() else { throw error }
      try make(step)
    }
    let microseconds = Int64((MonotonicClock.now - began) / 1000)
    timings.append(SessionRecord.Step(name: step.rawValue, microseconds: microseconds))
  }

  private func make(_ step: HandOverStep) throws(StoreError) {
    switch step {
    case .end: try end()
    case .verify: try verify()
    case .digest: try takeDigests()
    case .synchronize: try synchronize()
    case .record: try writeRecord()
    case .log: try logWithReserve()
    case .publish: try publish()
    case .deliver: try deliver()
    case .tell: try tell()
    case .bury: try bury()
    case .erase: try erase()
    case .acknowledge: try acknowledge()
    case .remove: try remove()
    }
  }

  /// What the steps made so far came to.
  package var result: HandOverResult {
    HandOverResult(
      record: record,
      contentPath: record.content.delivered ? app.content(places.id) : nil,
      delivery: delivery,
      logFault: logging.fault,
      steps: timings
    )
  }

  /// Whether a file is there.
  func exists(_ path: String) throws(StoreError) -> Bool {
    try system { () throws(SystemCallError) in try FileSystem.status(path) != nil }
  }
}
