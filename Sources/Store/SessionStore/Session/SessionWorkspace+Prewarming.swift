// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

extension SessionPaths {
  /// Whether a prewarmed extension has created files in the session content directory. Returns `true` if that
  /// cannot be determined.
  package func hasContent() -> Bool {
    do {
      return try !OwnerAccess.openDirectory(contentDirectory).entryNames(atMost: 1).isEmpty
    } catch { return true }
  }
}

extension SessionWorkspace {
  /// Creates the files that are needed at the launch.
  ///
  /// Some file systems take long to create a file after many deletions, which would delay the launch.
  static func createLaunchFiles(_ places: SessionPaths) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try SpaceReserve(places).createLaunchJournal()
      try DeviceUseFile(places).create()
    }
  }

  /// Marks a prewarmed session as launched. From then on, recovery migrates its content.
  ///
  /// A single rename minimizes the latency between the key press and the first frame. A power failure can
  /// revert it until ``LaunchJournal/write()`` returns; the extension must not receive frames before that.
  /// After that, the journal names `hostProcess` as the process that ends the session in order when it
  /// receives a signal.
  package mutating func markLaunched(
    hostProcess: Int32 = CurrentProcess.processID
  ) throws(StoreError) -> LaunchJournal {
    let places = places
    try system { () throws(SystemCallError) in
      try FileSystem.exchange(places.journalFile, with: places.launchJournalFile)
    }
    return LaunchJournal(startJournal(hostProcess: hostProcess), places)
  }
}

/// The journal of a launched session that is not durable yet.
package struct LaunchJournal: Sendable {
  private let journal: Journal
  private let places: SessionPaths

  /// Creates the journal.
  init(_ journal: Journal, _ places: SessionPaths) {
    self.journal = journal
    self.places = places
  }

  /// Writes the journal durably, with the launch time and host process of the launch.
  package func write() throws(SystemCallError) {
    try SpaceReserve(places).writeLaunched(journal)
  }
}
