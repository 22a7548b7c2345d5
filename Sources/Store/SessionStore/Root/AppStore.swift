// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The places of one app below the state root.
package struct AppStore: Hashable, Sendable {
  /// The state root.
  package let root: StateRoot
  /// The app's reverse-DNS id.
  package let id: String

  /// Everything of the app.
  package var directory: String { "\(root.appsDirectory)/\(id)" }
  /// The installed bundles, one directory a generation.
  package var bundleDirectory: String { "\(directory)/bundle" }
  /// What was installed, and the digests that it is pinned by.
  package var installationFile: String { "\(directory)/installation.json" }
  /// The app container: what the app itself reads.
  package var containerDirectory: String { "\(directory)/container" }
  /// Where handed-over content appears, one directory a session.
  package var contentDirectory: String { "\(containerDirectory)/SessionContent" }
  /// The session records, one file a session.
  package var recordsDirectory: String { "\(containerDirectory)/SessionRecords" }
  /// The mailbox: what the app is told when it is opened, one file a delivery.
  package var activitiesDirectory: String { "\(containerDirectory)/Activities" }
  /// The file whose lock the app holds while it listens to its mailbox.
  package var listeningLockFile: String { "\(containerDirectory)/app.lock" }
  /// The file whose lock the app holds while it does not want to be shown yet.
  package var appearanceLockFile: String { "\(containerDirectory)/appearance.lock" }
  /// The file whose lock a host holds while it starts the app, so that two hosts start it once.
  package var openingLockFile: String { "\(containerDirectory)/opening.lock" }
  /// What the app's command writes to its standard output and error.
  package var openingLogFile: String { "\(directory)/open.log" }
  /// What the consumers with names have been told of the content, one file a consumer.
  package var consumersDirectory: String { "\(directory)/consumers" }
  /// The directory of the app context.
  package var contextDirectory: String { "\(directory)/context" }
  /// The app context.
  package var contextFile: String { "\(contextDirectory)/app.json" }
  /// What the person has allowed the app.
  package var permissionsFile: String { "\(directory)/\(Self.permissionsName)" }
  /// The name of ``permissionsFile`` in its directory.
  package static let permissionsName = "permissions.json"
  /// What the app shares with its extensions, one directory a set (``SharedAssets``).
  package var assetsDirectory: String { "\(directory)/assets" }
  /// What sessions left that must not reach the app, one directory a session.
  package var quarantineDirectory: String { "\(directory)/quarantine" }

  /// The handed-over content of one session.
  package func content(_ session: SessionID) -> String { "\(contentDirectory)/\(session)" }
  /// The record of one session.
  package func record(_ session: SessionID) -> String { "\(recordsDirectory)/\(session).json" }
  /// What was kept from the app of one session's content.
  package func quarantine(_ session: SessionID) -> String { "\(quarantineDirectory)/\(session)" }

  /// Where copies of content are made that come from another file system, before they appear.
  package var incomingDirectory: String { "\(containerDirectory)/.incoming" }
  /// What was removed of the container and is about to be deleted, if the state root's trash is on another file system.
  package var removedDirectory: String { "\(containerDirectory)/.removed" }

  /// Makes the app's directories that a session needs, or sees that they are private.
  ///
  /// All that a session renames is on one file system: that of the state root, but for the container, which can be on
  /// another as a whole. Then content is copied there (``HandOver``).
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

  /// Makes directories that have to be on the file system of another.
  private static func prepare(
    _ directories: [String],
    with other: String,
    _ device: UInt64
  ) throws(StoreError) {
    for path in directories {
      guard try StateRoot.prepareDirectory(path) == device else { throw .twoFileSystems(other, path) }
    }
  }

  /// The trash for what was in the container.
  func containerTrash() throws(StoreError) -> Trash {
    let devices = try system { () throws(SystemCallError) in
      try [root.trashDirectory, contentDirectory].map { (path) throws(SystemCallError) in
        try FileSystem.open(path, [.directory]).status().device
      }
    }
    if devices[0] == devices[1] { return try Trash(root) }
    try StateRoot.prepareDirectory(removedDirectory)
    return try Trash(at: removedDirectory)
  }
}
