// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The paths of a session that is not completely migrated.
package struct SessionPaths: Hashable, Sendable {
  package let root: StateRoot
  /// The ID of the session.
  package let id: SessionID

  /// The directory of the session, named for its ID.
  package var directory: String { "\(root.sessionsDirectory)/\(id)" }
  /// The file that a host locks while it runs the session.
  package var lockFile: String { "\(directory)/lock" }
  /// The journal of the session, with the state for recovery.
  package var journalFile: String { "\(directory)/journal.json" }
  /// The prepared running journal of a prewarmed session. At the launch it is exchanged with the journal.
  package var launchJournalFile: String { "\(directory)/begun.json" }
  /// The app context for an extension whose context becomes known only after the program has started.
  package var contextFile: String { "\(directory)/app-context.json" }
  /// The complete record before its publication.
  package var recordFile: String { "\(directory)/record.json" }
  /// The pending notification of the app, if the session ends with the opening of the app.
  package var deliveryFile: String { "\(directory)/delivery.json" }
  /// The path of ``contentDirectory`` in the sandbox.
  package static let sandboxContentDirectory = "/session"
  /// The session content directory, `/session` in the sandbox.
  package var contentDirectory: String { "\(directory)/content" }
  /// The container of an extension in restricted mode. Other containers are in memory.
  package var containerDirectory: String { "\(directory)/\(Self.containerName)" }
  /// The last component of ``containerDirectory``.
  package static let containerName = "container"
  /// The log of renamed entries, until the record contains them.
  package var renamedFile: String { "\(directory)/renamed.ndjson" }
  /// The marker that the content was copied completely to the app's file system, so that the original is only
  /// a leftover.
  package var copiedMark: String { "\(directory)/copied" }
  /// The pending notification after it was copied to the app's file system.
  package var stagedDeliveryFile: String { "\(directory)/delivery.staged" }
  /// The directory of the copies of library assets, `/library` in the sandbox.
  package var libraryDirectory: String { "\(directory)/library" }
  /// The log of device uses, until the record contains them.
  package var usesFile: String { "\(directory)/uses.ndjson" }
  /// The original settings of the camera, until they are restored.
  package var cameraFile: String { "\(directory)/camera.ndjson" }
  /// The standard output and error of the extension. The file is missing if there was no output.
  package var logFile: String { "\(directory)/log" }
  /// Opens ``logFile`` for appending, and creates it if necessary.
  package func openLog() throws(SystemCallError) -> Descriptor {
    try FileSystem.open(logFile, [.write, .create, .append, .noFollow])
  }
  /// The socket that shares the viewfinder of the session, while it has one.
  package var viewfinderSocket: String { "\(directory)/\(Self.viewfinderSocketName)" }
  /// The last component of ``viewfinderSocket``.
  package static let viewfinderSocketName = "viewfinder"
  /// The name prefix of files that reserve space for the migration (``SpaceReserve``).
  static let reservePrefix = "reserve-"
  /// The path of the session directory in the trash.
  package var trashedDirectory: String { "\(root.trashDirectory)/session-\(id)" }
  /// The path of ``lockFile`` in the trash.
  package var trashedLockFile: String { "\(trashedDirectory)/lock" }
  /// The path of ``journalFile`` in the trash.
  package var trashedJournalFile: String { "\(trashedDirectory)/journal.json" }
}
