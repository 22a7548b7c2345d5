// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The places of one session that is not handed over yet.
package struct SessionPlaces: Hashable, Sendable {
  /// The state root.
  package let root: StateRoot
  /// The session.
  package let id: SessionID

  /// The session's own directory; its name is the session's.
  package var directory: String { "\(root.sessionsDirectory)/\(id)" }
  /// The file whose lock says that a host is at work on the session.
  package var lockFile: String { "\(directory)/lock" }
  /// What is known of the session, and how far its hand-over has come.
  package var journalFile: String { "\(directory)/journal.json" }
  /// The journal of a session that waits for its launch, as it is from the launch on; it is given the journal's name then, and the one
  /// that says that it waits has this name.
  package var begunJournalFile: String { "\(directory)/begun.json" }
  /// The app context as the extension sees it, where that is known only after its program has begun.
  package var contextFile: String { "\(directory)/app-context.json" }
  /// The record, finished, but not published yet.
  package var recordFile: String { "\(directory)/record.json" }
  /// What the app is to be told when the content is there; only if the session ends with the opening of the app.
  package var deliveryFile: String { "\(directory)/delivery.json" }
  /// The name of ``contentDirectory`` in a root of the session's own.
  package static let insideContentDirectory = "/session"
  /// What the extension sees as `/session`.
  package var contentDirectory: String { "\(directory)/content" }
  /// The container of an extension that runs restricted; that of any other is in memory.
  package var containerDirectory: String { "\(directory)/\(Self.containerName)" }
  /// The last component of ``containerDirectory``.
  package static let containerName = "container"
  /// Which names of the content were made ordinary, until the record says so.
  package var renamedFile: String { "\(directory)/renamed.ndjson" }
  /// Says that the content was copied to the app's file system as a whole, and is no more than a leftover here.
  package var copiedMark: String { "\(directory)/copied" }
  /// What the app is to be told, copied to the app's file system.
  package var stagedDeliveryFile: String { "\(directory)/delivery.staged" }
  /// What the extension sees as `/library`: copies that the host puts there, and takes away.
  package var libraryDirectory: String { "\(directory)/library" }
  /// Which cameras and microphones the session has used, until the record says so.
  package var usesFile: String { "\(directory)/uses.ndjson" }
  /// How the camera was set before the session has set it otherwise, until it is set back.
  package var cameraFile: String { "\(directory)/camera.ndjson" }
  /// What the extension wrote to its standard output and error; not there if that was nothing.
  package var logFile: String { "\(directory)/log" }
  /// Opens ``logFile`` to append to it, and makes it first if it is not there.
  package func openLog() throws(SystemCallError) -> Descriptor {
    try FileSystem.open(logFile, [.write, .create, .append, .noFollow])
  }
  /// The socket at which a session shows others its viewfinder, as long as it has one.
  package var viewfinderSocket: String { "\(directory)/\(Self.viewfinderSocketName)" }
  /// The last component of ``viewfinderSocket``.
  package static let viewfinderSocketName = "viewfinder"
  /// What the names begin with of files that hold space for the hand-over (``SpaceReserve``).
  static let reservePrefix = "reserve-"
  /// Where the session's directory waits for its deletion.
  package var buriedDirectory: String { "\(root.trashDirectory)/session-\(id)" }
  /// ``lockFile``, once the directory waits for its deletion.
  package var buriedLockFile: String { "\(buriedDirectory)/lock" }
  /// ``journalFile``, once the directory waits for its deletion.
  package var buriedJournalFile: String { "\(buriedDirectory)/journal.json" }
}
