// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

extension SessionPlaces {
  /// Whether a prewarmed extension has created files in the session content directory. Returns `true` if that
  /// cannot be determined.
  package func hasContent() -> Bool {
    do {
      return try !Accessible.openDirectory(contentDirectory).entryNames(atMost: 1).isEmpty
    } catch { return true }
  }
}

extension SessionWorkspace {
  /// Creates the files that are needed at the launch.
  ///
  /// Some file systems take long to create a file after many deletions, which would delay the launch.
  static func makeFilesOfLaunch(_ places: SessionPlaces) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try SpaceReserve(places).makeJournal()
      try UseNotes(places).make()
    }
  }

  /// Marks a prewarmed session as launched. From then on, recovery migrates its content.
  ///
  /// A single rename minimizes the latency between the key press and the first frame. A power failure can
  /// revert it until ``BegunJournal/settle()`` returns; the extension must not receive frames before that.
  /// After that, the journal names `hostProcess` as the process that ends the session in order when it
  /// receives a signal.
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

/// The journal of a launched session that is not durable yet.
package struct BegunJournal: Sendable {
  private let journal: Journal
  private let places: SessionPlaces

  /// Creates the journal.
  init(_ journal: Journal, _ places: SessionPlaces) {
    self.journal = journal
    self.places = places
  }

  /// Writes the journal durably, with the launch time and host process of the launch.
  package func settle() throws(SystemCallError) {
    try SpaceReserve(places).writeLaunched(journal)
  }
}
