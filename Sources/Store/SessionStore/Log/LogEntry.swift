// SPDX-License-Identifier: Apache-2.0

package import Digests
package import JSONText

/// The contents of an entry of the session log, without the digests that chain entries.
package struct LogNote: Hashable, Sendable {
  /// The kind of an entry.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A session ended, and its host wrote the entry.
    case ended
    /// A session ended, and recovery wrote the entry because the host died.
    case recovered
    /// An incomplete line, left by a crash, was moved to another file.
    case repaired

    /// Returns the kind with a name in the log. Earlier versions wrote ``repaired`` as `mended`.
    static func named(_ name: String) -> Kind? { name == "mended" ? .repaired : Kind(rawValue: name) }
  }

  /// The kind of the entry.
  package var kind: Kind
  /// The time of the entry in milliseconds since 1970.
  package var time: Int64
  /// The session, or `nil` if the entry concerns no session.
  package var session: Session?
  /// The incomplete lines that were moved to other files.
  package var quarantined: [Quarantined] = []

  /// The summary of a session.
  package struct Session: Hashable, Sendable {
    /// The ID of the session.
    package var id: SessionID
    /// The ID of the app.
    package var app: String
    /// The ID of the extension.
    package var extensionID: String
    /// The kind of the outcome, as in the record.
    package var outcome: String
    /// The start of the session in milliseconds since 1970.
    package var startedAt: Int64
    /// The end of the session in milliseconds since 1970.
    package var endedAt: Int64
    /// The number of refused calls.
    package var refused: Int64
    /// The digest of the record file as written.
    package var recordDigest: SHA256Digest
    /// The record without names chosen by the extension, or `nil` if the entry was read as
    /// ``LogEntryPart/summary``.
    package var excerpt: JSONValue?

    /// Creates the summary of a session.
    package init(
      id: SessionID,
      app: String,
      extensionID: String,
      outcome: String,
      startedAt: Int64,
      endedAt: Int64,
      refused: Int64,
      recordDigest: SHA256Digest,
      excerpt: JSONValue?
    ) {
      self.id = id
      self.app = app
      self.extensionID = extensionID
      self.outcome = outcome
      self.startedAt = startedAt
      self.endedAt = endedAt
      self.refused = refused
      self.recordDigest = recordDigest
      self.excerpt = excerpt
    }
  }

  /// An incomplete line that was moved to another file.
  package struct Quarantined: Hashable, Sendable {
    /// The name of that file.
    package var file: String
    /// Its length in bytes.
    package var bytes: Int64
    /// Its digest.
    package var digest: SHA256Digest
  }

  /// Creates contents that concern no session.
  package init(_ kind: Kind, at time: Int64) {
    self.kind = kind
    self.time = time
  }
}

/// The parts of an entry to read.
package enum LogEntryPart: Sendable {
  /// Everything except the record.
  case summary
  /// The complete entry.
  case whole
}

/// An entry of the session log, with its position in the digest chain.
package struct LogEntry: Hashable, Sendable {
  /// The sequence number, starting at 1.
  package var sequence: Int64
  /// The contents.
  package var note: LogNote
  /// The digest of the previous entry, or zero for the first entry.
  package var previous: SHA256Digest
  /// The digest of this entry: of its line up to the digest member.
  package var digest: SHA256Digest

  /// The chain head of this entry. A copy of it in another location proves later that no entry up to here was
  /// changed.
  package var head: LogHead { LogHead(sequence: sequence, digest: digest) }
}

/// A chain head: a sequence number and the digest of that entry. A copy that is stored elsewhere reveals
/// changes to all earlier entries.
package struct LogHead: Hashable, Sendable, CustomStringConvertible {
  /// The sequence number.
  package var sequence: Int64
  /// The digest of the entry.
  package var digest: SHA256Digest

  /// Creates a head.
  package init(sequence: Int64, digest: SHA256Digest) {
    self.sequence = sequence
    self.digest = digest
  }

  /// Creates a head from text in the form of ``description``, or returns `nil` if the text has any other
  /// form.
  package init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), let sequence = Int64(text[..<colon]), sequence > 0,
      text[..<colon].allSatisfy(\.isNumber),
      let digest = SHA256Digest(String(text[text.index(after: colon)...]))
    else { return nil }
    self.init(sequence: sequence, digest: digest)
  }

  /// The head as text, such as `17:sha256:…`.
  package var description: String { "\(sequence):\(digest)" }
}
