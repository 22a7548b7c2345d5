// SPDX-License-Identifier: Apache-2.0

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

  /// Makes the app's directories that a session needs, or sees that they are private.
  ///
  /// All of them are on the file system of the state root, because a session is handed over by renaming.
  package func prepare() throws(StoreError) {
    let sessions = root.sessionsDirectory
    let device = try StateRoot.prepareDirectory(sessions)
    let directories = [
      root.trashDirectory, directory, containerDirectory, contentDirectory, recordsDirectory,
      activitiesDirectory, contextDirectory,
      quarantineDirectory,
    ]
    for path in directories {
      guard try StateRoot.prepareDirectory(path) == device else { throw .twoFileSystems(sessions, path) }
    }
  }
}
