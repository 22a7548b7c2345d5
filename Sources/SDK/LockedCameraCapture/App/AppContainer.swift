// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives

/// The places of one app, as its own processes see them.
///
/// The host lays them out; see `CaptureHost`'s document of the state root.
package struct AppContainer: Hashable, Sendable {
  /// The container, an absolute path without symbolic links if it is there.
  package let path: String

  /// Takes a container by its path, which need not exist.
  package init(path: String) {
    // The person's own directories may be links; what the app is given must not depend on how it was named.
    self.path = (try? FileSystem.realPath(path)) ?? path
  }

  /// The container of this process: `DARKROOM_APP_CONTAINER`, else that of `DARKROOM_APP_ID` in `DARKROOM_ROOT`.
  ///
  /// Nil if this process is no app's, or the variables are not absolute paths and a plain name.
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

  /// The app's directory in the state root; its name is the app's id.
  private var appDirectory: String { FileSystem.directoryName(path) }
  /// The app's id, as far as the path shows it.
  package var appID: String { FileSystem.lastComponent(appDirectory) }
  /// Where content appears, one directory a session.
  package var contentDirectory: String { "\(path)/SessionContent" }
  /// The session records, one file a session.
  package var recordsDirectory: String { "\(path)/SessionRecords" }
  /// The mailbox.
  package var activitiesDirectory: String { "\(path)/Activities" }
  /// The file that is locked while the app listens to its mailbox.
  package var listeningLock: String { "\(path)/app.lock" }
  /// The file that is locked while the app delays its appearance.
  package var appearanceLock: String { "\(path)/appearance.lock" }
  /// What the consumers with names have been told of the content, one file a consumer.
  package var consumersDirectory: String { "\(appDirectory)/consumers" }
  /// The directory of the app context.
  package var contextDirectory: String { "\(appDirectory)/context" }
  /// The app context.
  package var contextFile: String { "\(contextDirectory)/app.json" }
  /// The directory of what is about to be deleted, which every host empties that recovers.
  package var trashDirectory: String {
    FileSystem.directoryName(FileSystem.directoryName(appDirectory)) + "/trash"
  }
}

/// The UUIDs that name sessions.
enum SessionName {
  /// The UUID that a directory's name is; nil unless it is exactly as the host spells them: random, in lower case.
  static func uuid(_ name: String) -> UUID? {
    guard let uuid = UUID(uuidString: name), text(uuid) == name, uuid.uuid.6 >> 4 == 4 else { return nil }
    return uuid
  }

  /// The name that the host gives a session.
  static func text(_ uuid: UUID) -> String { uuid.uuidString.lowercased() }
}
