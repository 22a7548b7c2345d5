// SPDX-License-Identifier: Apache-2.0

import CLinux
import JSONText
import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

/// A state root with one app that is removed with the last reference.
final class TemporaryStore {
  let root: StateRoot
  let app: AppStore
  /// A directory next to the root.
  let outside: String
  private let directory: String

  /// Creates and prepares a state root.
  init() throws {
    directory = "/tmp/darkroom-store-\(Randomness.hexadecimal(bytes: 8))"
    outside = "\(directory)/outside"
    root = StateRoot(path: "\(directory)/root")
    try FileSystem.makeDirectories(outside)
    try root.prepare()
    app = try root.app("org.example.camera")
    try app.prepare()
  }

  deinit {
    // The store itself removes trees that are deeper than this process's descriptor limit.
    if let id = try? DeliveredContent(app).list().map(\.id) {
      for id in id { try? DeliveredContent(app).invalidate(id) }
    }
    try? FileSystem.removeTree(directory)
  }

  /// Prepares a session.
  func workspace(
    hostProcess: Int32 = CurrentProcess.processID,
    _ content: ContentRule = ContentRule()
  ) throws -> SessionWorkspace {
    try SessionWorkspace.prepare(
      for: app,
      extensionID: "org.example.camera.capture",
      hostProcess: hostProcess,
      content: content
    )
  }

  /// Returns the draft record of a session that completed with exit code 0.
  func draft(_ workspace: borrowing SessionWorkspace) -> SessionRecord {
    SessionRecord(
      sessionID: workspace.id,
      app: app.id,
      extensionID: workspace.extensionID,
      startedAt: workspace.startedAt,
      endedAt: workspace.startedAt + 1500,
      outcome: .completed(exitCode: 0)
    )
  }

  /// Migrates a session after `fill` has created its content in the given directory.
  func migrate(
    digests: DigestChoice = .none,
    _ content: ContentRule = ContentRule(),
    _ fill: (String) throws -> Void
  ) throws -> MigrationResult {
    let workspace = try workspace(content)
    try fill(workspace.places.contentDirectory)
    let draft = draft(workspace)
    return try Migration(workspace, draft: draft, digests: digests).run()
  }

  /// Returns the names in `sessions` and `trash`, which should be empty between sessions.
  func leftovers() throws -> [String] {
    try FileSystem.names(in: root.sessionsDirectory) + FileSystem.names(in: root.trashDirectory)
  }

  /// Returns all files below a directory with their contents.
  static func tree(_ path: String) throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileSystem.names(in: path) {
      let inner = "\(path)/\(name)"
      if try FileSystem.status(inner)?.kind == .directory {
        for (sub, text) in try tree(inner) { files["\(name)/\(sub)"] = text }
      } else {
        files[name] = String(decoding: try FileSystem.contents(inner) ?? [], as: UTF8.self)
      }
    }
    return files
  }
}

/// Writes a small text file with the usual permissions.
func write(_ text: String, to path: String, mode: UInt32 = 0o644) throws {
  let file = try FileSystem.open(path, [.write, .create, .truncate], mode: mode)
  try file.writeAll(Array(text.utf8))
}

/// Records an issue unless a C library call returned zero.
func succeed(_ result: Int32, _ comment: Comment) {
  #expect(result == 0, comment)
}
