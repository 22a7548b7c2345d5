// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives

/// The paths of one app, as its own processes see them.
///
/// The host creates them; see the state root document of `CaptureHost`.
package struct AppContainer: Hashable, Sendable {
  /// The path of the container: absolute, and without symbolic links if the container exists.
  package let path: String

  /// Creates a container from its path, which need not exist.
  package init(path: String) {
    // The user's directories may be symbolic links; the resulting paths must not depend on the spelling of
    // the argument.
    self.path = (try? FileSystem.realPath(path)) ?? path
  }

  /// Creates the container of this process from `DARKROOM_APP_CONTAINER`, or from `DARKROOM_ROOT` and
  /// `DARKROOM_APP_ID`.
  ///
  /// The result is `nil` if the process does not belong to an app, if a path is not absolute, or if the ID is
  /// not a plain name.
  package init?(environment: (String) -> String?) {
    if let path = environment("DARKROOM_APP_CONTAINER"), path.hasPrefix("/") {
      self.init(path: path)
      return
    }
    guard let root = environment("DARKROOM_ROOT"), root.hasPrefix("/"),
      let id = environment("DARKROOM_APP_ID"), !id.isEmpty, !id.hasPrefix("."), !id.contains("/")
    else { return nil }
    self.init(path: "\(root)/apps/\(id)/container")
  }

  /// The app's directory in the state root; its name is the ID of the app.
  private var appDirectory: String { FileSystem.directoryName(path) }
  /// The ID of the app, taken from the path.
  package var appID: String { FileSystem.lastComponent(appDirectory) }
  /// The directory for session content, with one subdirectory per session.
  package var contentDirectory: String { "\(path)/SessionContent" }
  /// The directory of the session records, with one file per session.
  package var recordsDirectory: String { "\(path)/SessionRecords" }
  /// The mailbox.
  package var activitiesDirectory: String { "\(path)/Activities" }
  /// The file that is locked while the app listens to its mailbox.
  package var listeningLock: String { "\(path)/app.lock" }
  /// The file that is locked while the app delays its appearance.
  package var appearanceLock: String { "\(path)/appearance.lock" }
  /// The directory that records the updates delivered to named consumers, with one file per consumer.
  package var consumersDirectory: String { "\(appDirectory)/consumers" }
  /// The directory of the app context.
  package var contextDirectory: String { "\(appDirectory)/context" }
  /// The file of the app context.
  package var contextFile: String { "\(contextDirectory)/app.json" }
  /// The directory for content that is to be deleted; each host empties it during recovery.
  package var trashDirectory: String {
    FileSystem.directoryName(FileSystem.directoryName(appDirectory)) + "/trash"
  }
}

/// The conversion between session UUIDs and directory names.
enum SessionName {
  /// Returns the UUID that `name` spells, or `nil` unless the spelling is the host's: version 4, lower case.
  static func uuid(_ name: String) -> UUID? {
    guard let uuid = UUID(uuidString: name), text(uuid) == name, uuid.uuid.6 >> 4 == 4 else { return nil }
    return uuid
  }

  /// Returns the directory name of a session.
  static func text(_ uuid: UUID) -> String { uuid.uuidString.lowercased() }
}
