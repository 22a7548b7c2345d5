// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

extension SessionPlaces {
  /// Whether what waits has made anything in the session directory; what cannot be told is taken for a yes.
  package func hasContent() -> Bool {
    do {
      return try !Accessible.openDirectory(contentDirectory).entryNames(atMost: 1).isEmpty
    } catch { return true }
  }
}

extension SessionWorkspace {
  /// Makes the files that the first moments of a session would have to: where many were deleted a while ago, a file system can take
  /// long for each, and the extension is kept waiting.
  static func makeFilesOfLaunch(_ places: SessionPlaces) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try SpaceReserve(places).makeJournal()
      try UseNotes(places).make()
    }
  }

  /// Makes a session that waits one that was launched now: from here on `recover` hands over what it has captured.
  ///
  /// This is on the way from the press to the first picture, so it is one rename, which every process sees at once, and frees nothing. A
  /// power failure can undo it until ``BegunJournal/settle()`` has returned; nobody must give the extension anything to
  /// capture before. From then on the journal says that a signal to `hostProcess` ends the session in order.
  package mutating func begin(
    hostProcess: Int32 = CurrentProcess.processID
  ) throws(StoreError) -> BegunJournal {
    let places = places
    try system { () throws(SystemCallError) in
      try FileSystem.exchange(places.journalFile, with: places.begunJournalFile)
    }
    return BegunJournal(beginJournal(hostProcess: hostProcess), places)
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

  /// Writes it durably, with the time of the launch and its host instead of those of the preparation.
  package func settle() throws(SystemCallError) {
    try SpaceReserve(places).writeLaunched(journal)
  }
}
