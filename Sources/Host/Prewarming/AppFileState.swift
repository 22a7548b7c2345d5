// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// The state of the files that define an app's extensions and their permissions, at one time.
struct AppFileState: Hashable {
  private let files: [FileIdentity?]

  /// Records the current state of the files of an app.
  init(_ app: AppStore) { files = Self.paths(app).map(FileIdentity.init) }

  /// Returns the paths of the installation, the permissions of the user and the administrator, and the lock
  /// and authentication configuration.
  private static func paths(_ app: AppStore) -> [String] {
    [
      app.installationFile, app.permissionsFile, AdministrationFiles.standardPath,
      "\(app.root.path)/lock.json", "\(app.root.path)/authentication.json",
    ]
  }

  /// Returns the directories that change when one of the files changes.
  static func directories(_ app: AppStore) -> [String] {
    Set(paths(app).map(FileSystem.directoryName)).sorted()
  }
}
