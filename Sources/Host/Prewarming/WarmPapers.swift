// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// The files in which it stands what an app's extensions may do and which they are, as they are at one time.
struct WarmPapers: Hashable {
  private let files: [FileIdentity?]

  /// Looks at the files of an app.
  init(_ app: AppStore) { files = Self.paths(app).map(FileIdentity.init) }

  /// What was installed, what the person and the administrator have allowed, and who says whether the machine is locked.
  private static func paths(_ app: AppStore) -> [String] {
    [
      app.installationFile, app.permissionsFile, AdministrationFiles.standardPath,
      "\(app.root.path)/lock.json", "\(app.root.path)/authentication.json",
    ]
  }

  /// The directories in which something happens when one of them changes.
  static func directories(_ app: AppStore) -> [String] {
    Set(paths(app).map(FileSystem.directoryName)).sorted()
  }
}
