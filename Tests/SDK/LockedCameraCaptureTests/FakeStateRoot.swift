// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxPrimitives
import LockedCameraCapture
import TestSupport

/// A state root with one app, in the layout of the host, and a minimal migration.
final class FakeStateRoot: Sendable {
  /// The state root of the running test.
  @TaskLocal static var current: FakeStateRoot?

  let root: String
  /// The container of the app.
  let container: String

  init(app: String = "org.example.camera") throws {
    root = "/tmp/darkroom-state-\(Randomness.hexadecimal(bytes: 8))"
    container = "\(root)/apps/\(app)/container"
    for directory in [
      "\(container)/SessionContent", "\(container)/SessionRecords", "\(container)/Activities",
      "\(root)/apps/\(app)/context", "\(root)/trash", "\(root)/staging",
    ] {
      try FileSystem.makeDirectories(directory)
    }
  }

  deinit { try? FileSystem.removeTree(root) }

  /// Creates a manager for the app.
  var manager: LockedCameraCaptureManager {
    LockedCameraCaptureManager(container: URL(filePath: container, directoryHint: .isDirectory))
  }

  /// Returns the name of a new session: a random UUID of version 4.
  static func newSessionName() -> String {
    var characters = Array(UUID().uuidString.lowercased())
    characters[14] = "4"
    characters[19] = "8"
    return String(characters)
  }

  /// Returns the UUID for the name of a session.
  static func id(_ name: String) -> UUID { UUID(uuidString: name) ?? UUID() }

  /// Migrates a session: writes its record, then moves its content with one rename. The session has no
  /// content if `files` is `nil`.
  @discardableResult
  func migrateSession(_ name: String = newSessionName(), files: [String: String]? = ["photo.jpg": "x"]) throws
    -> String
  {
    let staging = "\(root)/staging/\(name)"
    try FileSystem.makeDirectory(staging)
    for (file, text) in files ?? [:] {
      try FileSystem.replaceContents("\(staging)/\(file)", with: Array(text.utf8))
    }
    let bytes = (files ?? [:]).values.reduce(0) { $0 + $1.utf8.count }
    let record = """
      {"version": 3, "sessionID": "\(name)", "app": "org.example.camera", "extension": "org.example.camera.capture",
       "startedAt": "2026-01-31T08:15:00.250Z", "endedAt": "2026-01-31T08:16:00.000Z",
       "outcome": {"kind": "dismissed", "by": "user"},
       "content": {"files": \(files?.count ?? 0), "bytes": \(bytes), "delivered": \(files != nil)}, "erased": []}
      """
    try FileSystem.replaceContents("\(container)/SessionRecords/\(name).json", with: Array(record.utf8))
    if files != nil {
      try FileSystem.rename(staging, to: "\(container)/SessionContent/\(name)", .noReplace)
    }
    return name
  }

  /// Returns the names in a directory of the root.
  func names(_ path: String) throws -> [String] { try FileSystem.names(in: "\(root)/\(path)") }

  /// Returns the URL of the content of a session.
  func url(_ name: String) -> URL {
    URL(filePath: "\(container)/SessionContent/\(name)", directoryHint: .isDirectory)
  }
}
