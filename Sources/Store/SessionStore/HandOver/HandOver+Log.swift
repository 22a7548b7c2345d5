// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives

extension HandOver {
  /// What a receipt says was erased at the end of a hand-over.
  static var erasureName: String { "session directory" }

  /// Whose hand-over it is.
  enum Provenance {
    /// That of the host that ran the session.
    case host
    /// That of recovery; the host may have made any of the steps.
    case recovery
  }

  /// Writes the session into the log. That this fails keeps no content from its app: ``bury()`` tries again.
  private func log() {
    guard logging != .done else { return }
    do throws(StoreError) {
      // A line whose fsync failed may be there all the same.
      let isFirst = provenance == .host && logging == .pending
      let repetition: SessionLog.Repetition = isFirst ? .impossible : .possible
      let entry = try SessionLog(app.root).append(logNote(), repetition)
      if let entry { journalOfMachine?.send(entry, app.root) }
      logging = .done
    } catch { logging = .failed(error) }
  }

  /// The same; on a full disk once more with what was set aside for that.
  func logWithReserve() throws(StoreError) {
    log()
    if let fault = logging.fault, fault.isFull, try SpaceReserve(places).release() { log() }
  }

  /// What the log gets.
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
      essence: record.essence
    )
    return note
  }

  /// The digest of the record's file as it was written; of the draft, if the app has taken the file already.
  private func recordDigest() throws(StoreError) -> SHA256Digest {
    // Written by this process just now: what can be a million files need not be read again.
    if let written { return written.digest }
    for path in [places.recordFile, app.record(places.id)] {
      if let digest = try SessionLog.digestAsWritten(path) { return digest }
    }
    return try RecordText.digest(of: record)
  }
}

/// How far the entry of a session in the log has come.
enum LoggingState: Equatable {
  /// It was not tried yet.
  case pending
  /// It is there.
  case done
  /// It could not be written.
  case failed(StoreError)

  /// Why it could not be written.
  var fault: StoreError? {
    if case .failed(let error) = self { error } else { nil }
  }
}
