// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// The steps of a migration, in order.
///
/// After a crash before, during or after a step, the step can be repeated: it detects completed work on the
/// disk.
///
/// | step | evidence of completion on the disk |
/// |---|---|
/// | `writeOutcome` | phase `ended` in the journal, before `synchronize`; none if the record follows immediately |
/// | `verify`, `digest`, `synchronize` | none; they are repeated until there is a record |
/// | `record` | `record.json` in the session directory, or `reserve-record` if the log has its digest |
/// | `log` | an entry of the session in the session log |
/// | `publish` | `SessionRecords/ID.json` in the app container |
/// | `deliver` | no `content` in the session directory; a directory in `SessionContent` |
/// | `notify` | no `delivery.json` in the session directory |
/// | `trash` | the session directory is in `trash` |
/// | `erase` | only lock and journal remain in it; none if the journal has no receipt |
/// | `recordErasure` | the receipt is in the record, or the journal has none |
/// | `remove` | the directory is not in `trash` |
package enum MigrationStep: String, CaseIterable, Sendable {
  /// Starts writing the outcome to the journal, to be completed before ``synchronize``. This is skipped for a
  /// few small files, because the record follows as soon.
  case writeOutcome
  /// Sanitizes the content, and quarantines entries that cannot be sanitized.
  case verify
  /// Computes the digests of the files, if requested.
  case digest
  /// Makes the content durable and writes the text of the record. This precedes the final name of the record,
  /// because a record certifies that the content is verified and durable.
  case synchronize
  /// Renames the record to its final name in the session directory.
  case record
  /// Appends the session to the session log (``SessionLog``). This precedes the publication of the record, so
  /// that every visible record is logged. A failure stops no step before `trash`.
  case log
  /// Moves the record to the app. This precedes the content, so that all visible content has a record.
  case publish
  /// Moves the content to the app with one rename, after a copy if the app is on another file system.
  case deliver
  /// Notifies the app, if the session ended with its opening. This follows the content, so that a notified
  /// app finds the content.
  case notify
  /// Moves the session directory to the trash.
  case trash
  /// Deletes the contents of the session directory except lock and journal.
  case erase
  /// Adds a receipt of the erasure to the record, if any files were erased.
  case recordErasure
  /// Deletes the rest, or keeps lock and journal for the next session (``SpareDirectory``).
  case remove
}

/// The digests of files in the record.
package enum DigestChoice: Hashable, Sendable {
  /// The record contains no digests.
  case none
  /// The record contains SHA-256 digests.
  case sha256
}

/// The result of a migration.
package struct MigrationResult: Sendable {
  /// The published record.
  package let record: SessionRecord
  /// The path of the delivered content, or `nil` if there is none.
  package let contentPath: String?
  /// The delivery that this migration moved to the mailbox, or `nil` if there was none.
  package let delivery: AppDelivery?
  /// The error for which the session is not in the log yet, or `nil` if it is. Recovery tries again and
  /// erases the leftovers.
  package let logFault: StoreError?
  /// The duration of each step. The record does not contain these, because it is written before the last
  /// steps.
  package let steps: [SessionRecord.Step]
}
