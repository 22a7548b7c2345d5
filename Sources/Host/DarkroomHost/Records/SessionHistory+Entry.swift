// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import SessionStore

extension SessionHistory {
  /// An entry of the log.
  public struct Entry: Sendable, Hashable {
    /// The sequence number, starting at 1.
    public let sequence: Int64
    /// The kind.
    public let kind: Kind
    /// The time of the entry, in milliseconds since 1970.
    public let loggedAt: Int64
    /// The session, or `nil` if the entry concerns no session.
    public let session: Session?

    /// A kind of an entry.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// A session ended, and its host wrote the entry.
      case ended
      /// A session ended, and recovery wrote the entry because the host died.
      case recovered
      /// An incomplete line, left by a crash, was moved to another file.
      case repaired
    }

    /// Creates an entry from that of the store.
    init(_ entry: LogEntry) {
      (sequence, loggedAt) = (entry.sequence, entry.note.time)
      session = entry.note.session.map { Session($0) }
      switch entry.note.kind {
      case .ended: kind = .ended
      case .recovered: kind = .recovered
      case .repaired: kind = .repaired
      }
    }
  }

  /// A session that has ended.
  public struct Session: Sendable, Hashable {
    /// The ID.
    public let id: String
    /// The ID of the app.
    public let appID: String
    /// The ID of the extension.
    public let extensionID: String
    /// The outcome, or `nil` if a later version of Darkroom wrote an outcome that this version does not know.
    public let outcome: Outcome?
    /// The start, in milliseconds since 1970.
    public let startedAt: Int64
    /// The end, in milliseconds since 1970.
    public let endedAt: Int64
    /// The number of refused calls.
    public let refusals: Int64
    /// The digest of the session record as written, `sha256:…`.
    public let recordDigest: String

    /// Creates a session from the summary in an entry.
    init(_ session: LogNote.Session) {
      (id, appID, extensionID) = (session.id.description, session.app, session.extensionID)
      outcome = Outcome(rawValue: session.outcome)
      (startedAt, endedAt) = (session.startedAt, session.endedAt)
      (refusals, recordDigest) = (session.refused, "\(session.recordDigest)")
    }
  }

  /// The result of a verification of the log.
  public struct Verification: Sendable, Hashable {
    /// Whether the entries, the published records and the given head are valid.
    public let isValid: Bool
    /// The number of valid entries from the start.
    public let validEntries: Int64
    /// The head of the last valid entry, or `nil` if there is none.
    public let head: String?
    /// The first invalid entry, or `nil` if all are valid. Later entries prove nothing.
    public let invalidEntry: InvalidEntry?
    /// The comparison with the given head, or `nil` if none was given.
    public let headComparison: HeadComparison?
    /// The published records that were changed after they were logged.
    public let changedRecords: [ChangedRecord]
    /// The length in bytes of a last line that a crash truncated. The next entry moves the line to another
    /// file.
    public let truncatedBytes: Int64

    /// An invalid entry.
    public struct InvalidEntry: Sendable, Hashable {
      /// The number of the line, starting at 1.
      public let line: Int64
      /// The defect as text.
      public let reason: String
    }

    /// The result of the comparison of a head with the log.
    public enum HeadComparison: String, Sendable, Hashable, CaseIterable {
      /// The log contains the head: no entry up to the head was changed.
      case found
      /// The log ends before the head: its newest entries were removed.
      case truncated
      /// The log has another entry at this position: the log was rewritten.
      case replaced
    }

    /// A published record that was changed after it was logged.
    public struct ChangedRecord: Sendable, Hashable {
      /// The sequence number of the entry.
      public let sequence: Int64
      /// The path of the record.
      public let path: String
    }

    /// Creates a result from that of the store.
    init(_ result: LogVerification) {
      (isValid, validEntries, truncatedBytes) = (result.isValid, result.entries, result.torn)
      head = result.head.map { "\($0)" }
      invalidEntry = result.invalidEntry.map { InvalidEntry(line: $0.line, reason: "\($0.fault)") }
      headComparison = result.headComparison.map { comparison in
        switch comparison {
        case .found: .found
        case .truncated: .truncated
        case .replaced: .replaced
        }
      }
      changedRecords = result.changedRecords.map { ChangedRecord(sequence: $0.sequence, path: $0.path) }
    }
  }
}
