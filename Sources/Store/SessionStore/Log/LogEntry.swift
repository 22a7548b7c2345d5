// SPDX-License-Identifier: Apache-2.0

package import Digests
package import JSONText

/// One line of the session log, without what chains it to the others.
package struct LogNote: Hashable, Sendable {
  /// What an entry is about.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A session ended, and its host wrote the entry.
    case ended
    /// A session ended whose host did not come to write the entry; recovery did.
    case recovered
    /// What a crash had left of a line was moved aside.
    case mended
  }

  /// What the entry is about.
  package var kind: Kind
  /// When it was written, in milliseconds since 1970.
  package var time: Int64
  /// The session; nil if it is about none.
  package var session: Session?
  /// What was moved aside.
  package var aside: [Aside] = []

  /// What an entry says of a session.
  package struct Session: Hashable, Sendable {
    /// The session.
    package var id: SessionID
    /// The app's id.
    package var app: String
    /// The extension's id.
    package var extensionID: String
    /// The kind of its outcome, in the word of the record.
    package var outcome: String
    /// When it began, in milliseconds since 1970.
    package var startedAt: Int64
    /// When it ended.
    package var endedAt: Int64
    /// How many calls were refused.
    package var refused: Int64
    /// The digest of the record's file as it was written.
    package var recordDigest: SHA256Digest
    /// The record without what the extension itself has named; nil if it was not read with the entry.
    package var essence: JSONValue?

    /// Describes a session.
    package init(
      id: SessionID,
      app: String,
      extensionID: String,
      outcome: String,
      startedAt: Int64,
      endedAt: Int64,
      refused: Int64,
      recordDigest: SHA256Digest,
      essence: JSONValue?
    ) {
      self.id = id
      self.app = app
      self.extensionID = extensionID
      self.outcome = outcome
      self.startedAt = startedAt
      self.endedAt = endedAt
      self.refused = refused
      self.recordDigest = recordDigest
      self.essence = essence
    }
  }

  /// Something that was moved aside.
  package struct Aside: Hashable, Sendable {
    /// Its name among what was moved aside.
    package var file: String
    /// Its length in bytes.
    package var bytes: Int64
    /// Its digest.
    package var digest: SHA256Digest
  }

  /// Makes a note that is about no session.
  package init(_ kind: Kind, at time: Int64) {
    self.kind = kind
    self.time = time
  }
}

/// How much of an entry is read.
package enum LogPart: Sendable {
  /// Everything but the record.
  case summary
  /// All of it.
  case whole
}

/// A line of the session log: a note in its place in the chain.
package struct LogEntry: Hashable, Sendable {
  /// The place, from 1.
  package var sequence: Int64
  /// What it says.
  package var note: LogNote
  /// The digest of the entry before; of nothing but zeros in the first.
  package var previous: SHA256Digest
  /// The digest of this entry: of its line as far as the digest.
  package var digest: SHA256Digest

  /// What has to be kept elsewhere to prove later that nothing up to here was changed.
  package var head: LogHead { LogHead(sequence: sequence, digest: digest) }
}

/// A place in the chain and the digest that is there; whoever keeps it can see that nothing before it was changed.
package struct LogHead: Hashable, Sendable, CustomStringConvertible {
  /// The place.
  package var sequence: Int64
  /// The digest of the entry there.
  package var digest: SHA256Digest

  /// Names a head.
  package init(sequence: Int64, digest: SHA256Digest) {
    self.sequence = sequence
    self.digest = digest
  }

  /// Reads what ``description`` writes; nil if it is anything else.
  package init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), let sequence = Int64(text[..<colon]), sequence > 0,
      text[..<colon].allSatisfy(\.isNumber),
      let digest = SHA256Digest(String(text[text.index(after: colon)...]))
    else { return nil }
    self.init(sequence: sequence, digest: digest)
  }

  /// `17:sha256:…`.
  package var description: String { "\(sequence):\(digest)" }
}
