// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The paths of an app below the state root.
package struct AppStore: Hashable, Sendable {
  package let root: StateRoot
  /// The reverse-DNS ID of the app.
  package let id: String

  /// The directory of the app.
  package var directory: String { "\(root.appsDirectory)/\(id)" }
  /// The directory of the installed bundles, with a subdirectory for each generation.
  package var bundleDirectory: String { "\(directory)/bundle" }
  /// The file that describes the installation, including the pinned digests.
  package var installationFile: String { "\(directory)/installation.json" }
  /// The app container, which the app itself reads.
  package var containerDirectory: String { "\(directory)/container" }
  /// The directory of delivered content, with a subdirectory for each session.
  package var contentDirectory: String { "\(containerDirectory)/SessionContent" }
  /// The directory of session records, with a file for each session.
  package var recordsDirectory: String { "\(containerDirectory)/SessionRecords" }
  /// The mailbox: the directory of notifications to the app, with a file for each delivery.
  package var activitiesDirectory: String { "\(containerDirectory)/Activities" }
  /// The file that the app locks while it listens to its mailbox.
  package var listeningLockFile: String { "\(containerDirectory)/app.lock" }
  /// The file that the app locks while it is not ready to appear.
  package var appearanceLockFile: String { "\(containerDirectory)/appearance.lock" }
  /// The file that a host locks while it starts the app, so that two hosts do not start it twice.
  package var openingLockFile: String { "\(containerDirectory)/opening.lock" }
  /// The file with the standard output and error of the app's command.
  package var openingLogFile: String { "\(directory)/open.log" }
  /// The directory of the state of named consumers, with a file for each.
  package var consumersDirectory: String { "\(directory)/consumers" }
  /// The directory of the app context.
  package var contextDirectory: String { "\(directory)/context" }
  /// The file of the app context.
  package var contextFile: String { "\(contextDirectory)/app.json" }
  /// The file of the user's permissions for the app.
  package var permissionsFile: String { "\(directory)/\(Self.permissionsName)" }
  /// The last component of ``permissionsFile``.
  package static let permissionsName = "permissions.json"
  /// The directory of files shared with extensions, with a subdirectory for each set (``SharedAssets``).
  package var assetsDirectory: String { "\(directory)/assets" }
  /// The quarantine, with a subdirectory for each session.
  package var quarantineDirectory: String { "\(directory)/quarantine" }

  /// Returns the directory of a session's delivered content.
  package func content(_ session: SessionID) -> String { "\(contentDirectory)/\(session)" }
  /// Returns the file of a session's record.
  package func record(_ session: SessionID) -> String { "\(recordsDirectory)/\(session).json" }
  /// Returns the directory of a session's quarantined content.
  package func quarantine(_ session: SessionID) -> String { "\(quarantineDirectory)/\(session)" }

  /// The directory of copies from another file system before their delivery.
  package var incomingDirectory: String { "\(containerDirectory)/.incoming" }
  /// The trash of the container, used if the state root's trash is on another file system.
  package var containerTrashDirectory: String { "\(containerDirectory)/.removed" }

  /// Creates the app's directories for a session, or checks that existing ones are private.
  ///
  /// All directories must be on the file system of the state root, because sessions are moved by renaming.
  /// Only the container as a whole can be on another file system; content is then copied (``Migration``).
  package func prepare() throws(StoreError) {
    let sessions = root.sessionsDirectory
    try Self.prepare(
      [root.trashDirectory, directory, contextDirectory, quarantineDirectory],
      with: sessions,
      try StateRoot.prepareDirectory(sessions)
    )
    try Self.prepare(
      [contentDirectory, recordsDirectory, activitiesDirectory],
      with: containerDirectory,
      try StateRoot.prepareDirectory(containerDirectory)
    )
  }

  /// Creates directories that must be on the same file system as another.
  private static func prepare(
    _ directories: [String],
    with other: String,
    _ device: UInt64
  ) throws(StoreError) {
    for path in directories {
      guard try StateRoot.prepareDirectory(path) == device else { throw .differentFileSystems(other, path) }
    }
  }

  /// Returns the trash for files of the container.
  func containerTrash() throws(StoreError) -> Trash {
    let devices = try system { () throws(SystemCallError) in
      try [root.trashDirectory, contentDirectory].map { (path) throws(SystemCallError) in
        try FileSystem.open(path, [.directory]).status().device
      }
    }
    if devices[0] == devices[1] { return try Trash(root) }
    try StateRoot.prepareDirectory(containerTrashDirectory)
    return try Trash(at: containerTrashDirectory)
  }
}
