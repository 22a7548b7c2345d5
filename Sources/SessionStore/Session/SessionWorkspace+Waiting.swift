// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

extension SessionWorkspace {
  /// Whether what waits has made anything in the session directory; what cannot be told is taken for a yes.
  package borrowing func hasContent() -> Bool {
    do throws(StoreError) {
      return try ContentMeter.measure(places.contentDirectory, limit: ContentLimit(bytes: 0, entries: 0))
        .entries > 0
    } catch { return true }
  }

  /// Makes a session that waits one that was launched now: from here on `recover` hands over what it has captured.
  ///
  /// This is on the way from the press to the first picture, so it is one rename, which every process sees at once. A
  /// power failure can undo it until ``BegunJournal/settle()`` has returned; nobody must give the extension anything to
  /// capture before.
  package mutating func begin() throws(StoreError) -> BegunJournal {
    let places = places
    try system { () throws(SystemCallError) in
      try FileSystem.rename(places.begunJournalFile, to: places.journalFile, .replace)
    }
    return BegunJournal(beginJournal(), places)
  }
}

/// The journal of a session that was launched a moment ago, which is not durable yet.
package struct BegunJournal: Sendable {
  private let journal: Journal
  private let places: SessionPlaces

  /// Takes over a journal.
  init(_ journal: Journal, _ places: SessionPlaces) {
    self.journal = journal
    self.places = places
  }

  /// Writes it durably, with the time of the launch instead of that of the preparation.
  package func settle() throws(SystemCallError) {
    try FileSystem.replaceContents(places.journalFile, with: journal.json.bytes(.indented))
  }
}
