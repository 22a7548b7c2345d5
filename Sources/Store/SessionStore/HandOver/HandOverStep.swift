// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// The steps of a hand-over, in their order.
///
/// Each can be made again after a crash, before, in or after it: it looks at the disk for what is done already.
///
/// | step | mark on the disk that it is done |
/// |---|---|
/// | `end` | the journal's phase is `ended`, before `synchronize`; none, where the record follows at once |
/// | `verify`, `digest`, `synchronize` | none; they are made again until there is a record |
/// | `record` | `record.json` in the session's directory, or `reserve-record` there, if the log has its digest |
/// | `log` | an entry about the session in the session log |
/// | `publish` | the same file in `SessionRecords` |
/// | `deliver` | no `content` in the session's directory, and a directory in `SessionContent` |
/// | `tell` | no `delivery.json` in the session's directory |
/// | `bury` | the session's directory is in `trash` |
/// | `erase` | nothing is in it but lock and journal; none, where the journal has no receipt |
/// | `acknowledge` | the receipt stands in the record, or the journal has none |
/// | `remove` | the directory is not in `trash` |
package enum HandOverStep: String, CaseIterable, Sendable {
  /// Begins to write down how the session ended, which is done before ``synchronize``. Where a few small files are all that is to be
  /// verified, the record says it as soon.
  case end
  /// Makes the content ordinary, and moves aside what can't be.
  case verify
  /// Takes the digests of the files, if they are asked for.
  case digest
  /// Makes the content durable, and beside it the text of the record. Before the record has its name: a record says that the content
  /// is verified *and* safe.
  case synchronize
  /// Gives the record its name, beside the content.
  case record
  /// Writes the session into the log (``SessionLog``). Before the record is published: nothing is seen that is not logged.
  /// A log that cannot be written stops no step before `bury`.
  case log
  /// Moves the record to the app. Before the content: whoever sees content finds its record.
  case publish
  /// Moves the content to the app, in one rename; to another file system it is copied before.
  case deliver
  /// Tells the app, if the session ended with its opening. After the content: whoever is told finds it.
  case tell
  /// Moves what is left of the session to the trash.
  case bury
  /// Deletes it, but for lock and journal.
  case erase
  /// Notes in the record what was erased; where nothing was left, nothing.
  case acknowledge
  /// Deletes what was not deleted before, and lock and journal, or keeps these for the next session (``SpareDirectory``).
  case remove
}

/// Whether the record gets a digest of each file.
package enum DigestChoice: Hashable, Sendable {
  /// It does not.
  case none
  /// SHA-256.
  case sha256
}

/// What a hand-over came to.
package struct HandOverResult: Sendable {
  /// The record as it was published.
  package let record: SessionRecord
  /// Where the content is now; nil if there was none.
  package let contentPath: String?
  /// What the app was told by this hand-over; nil if there was nothing to tell, or it had been told before.
  package let delivery: AppDelivery?
  /// Why the session is not in the log yet; its leftovers wait for recovery, which tries again. Nil if it is.
  package let logFault: StoreError?
  /// How long each step took; the record can't hold it, because it is written before the last steps.
  package let steps: [SessionRecord.Step]
}
