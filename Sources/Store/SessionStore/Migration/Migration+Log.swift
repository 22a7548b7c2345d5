// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives

extension Migration {
  /// The subject of the erasure receipt of a migration.
  static var erasureTarget: String { "session directory" }

  /// The process that runs the migration.
  enum Provenance {
    /// The host that ran the session.
    case host
    /// Recovery. The host may have completed any of the steps.
    case recovery
  }

  /// Appends the session to the session log. A failure does not stop the delivery of content; it is retried
  /// before ``moveToTrash()``.
  private func log() {
    guard logging != .done else { return }
    do throws(StoreError) {
      // A line can be present even if its fsync failed.
      let isFirst = provenance == .host && logging == .pending
      let duplicateCheck: SessionLog.DuplicateCheck = isFirst ? .unnecessary : .required
      let entry = try SessionLog(app.root).append(logNote(), duplicateCheck)
      if let entry { systemJournal?.send(entry, app.root) }
      logging = .done
    } catch { logging = .failed(error) }
  }

  /// Appends the session to the session log. If the disk is full, releases the space reserve and tries again.
  func logWithReserve() throws(StoreError) {
    log()
    if let fault = logging.fault, fault.isFull, try SpaceReserve(places).release() { log() }
  }

  /// Returns the contents of the log entry.
  private func logNote() throws(StoreError) -> LogNote {
    var note = LogNote(provenance == .host ? .ended : .recovered, at: WallClock.milliseconds)
    note.session = LogNote.Session(
      id: places.id,
      app: record.app,
      extensionID: record.extensionID,
      outcome: record.outcome.json["kind"]?.string ?? "",
      startedAt: record.startedAt,
      endedAt: record.endedAt,
      refused: record.refusedCalls,
      recordDigest: try recordDigest(),
      excerpt: record.excerpt
    )
    return note
  }

  /// Returns the digest of the record file as written, or of the draft if the app has already removed the
  /// file.
  private func recordDigest() throws(StoreError) -> SHA256Digest {
    // This process wrote the record, which can list a million files. Do not read it again.
    if let written { return written.digest }
    for path in [places.recordFile, app.record(places.id)] {
      if let digest = try SessionLog.digestAsWritten(path) { return digest }
    }
    return try RecordText.digest(of: record)
  }
}

/// The state of the log entry of a session.
enum LoggingState: Equatable {
  /// The entry has not been written yet.
  case pending
  /// The entry has been written.
  case done
  /// Writing the entry failed.
  case failed(StoreError)

  /// The error of the failed write, or `nil` if there was none.
  var fault: StoreError? {
    if case .failed(let error) = self { error } else { nil }
  }
}
