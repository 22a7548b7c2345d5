// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxPrimitives
import LockedCameraCapture
import TestSupport

/// A state root with one app, laid out as the host does it, and the host's hand over in small.
final class FakeState: Sendable {
  /// The state of the test that runs.
  @TaskLocal static var current: FakeState?

  /// The state root.
  let root: String
  /// The app's container.
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

  /// A manager of the app.
  var manager: LockedCameraCaptureManager {
    LockedCameraCaptureManager(container: URL(filePath: container, directoryHint: .isDirectory))
  }

  /// A new session's name.
  static func newName() -> String {
    var characters = Array(UUID().uuidString.lowercased())
    characters[14] = "4"
    characters[19] = "8"
    return String(characters)
  }

  /// The UUID that a session's name is.
  static func id(_ name: String) -> UUID { UUID(uuidString: name) ?? UUID() }

  /// Hands a session over: its record first, then its content with one rename, which is empty if `files` is nil.
  @discardableResult
  func handOver(_ name: String = newName(), files: [String: String]? = ["photo.jpg": "x"]) throws -> String {
    let staging = "\(root)/staging/\(name)"
    try FileSystem.makeDirectory(staging)
    for (file, text) in files ?? [:] {
      try FileSystem.replaceContents("\(staging)/\(file)", with: Array(text.utf8))
    }
    let bytes = (files ?? [:]).values.reduce(0) { $0 + $1.utf8.count }
    let record = """
      {"version": 2, "sessionID": "\(name)", "app": "org.example.camera", "extension": "org.example.camera.capture",
       "startedAt": "2026-01-31T08:15:00.250Z", "endedAt": "2026-01-31T08:16:00.000Z",
       "outcome": {"kind": "dismissed", "by": "person"},
       "content": {"files": \(files?.count ?? 0), "bytes": \(bytes), "delivered": \(files != nil)}, "erased": []}
      """
    try FileSystem.replaceContents("\(container)/SessionRecords/\(name).json", with: Array(record.utf8))
    if files != nil {
      try FileSystem.rename(staging, to: "\(container)/SessionContent/\(name)", .noReplace)
    }
    return name
  }

  /// What is in a directory of the root.
  func names(_ path: String) throws -> [String] { try FileSystem.names(in: "\(root)/\(path)") }

  /// The URL of a session's content.
  func url(_ name: String) -> URL {
    URL(filePath: "\(container)/SessionContent/\(name)", directoryHint: .isDirectory)
  }
}
