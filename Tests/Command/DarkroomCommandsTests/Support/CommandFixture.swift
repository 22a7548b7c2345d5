// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

/// A temporary directory for one test with a bundle and a state root.
final class CommandFixture: Sendable {
  /// The path of the directory.
  let directory: String
  /// The path of the state root, which the fixture does not create.
  var root: String { "\(directory)/root" }
  /// The path of a valid bundle.
  var bundle: String { "\(directory)/Camera" }
  /// The id of the app in the bundle.
  static let app = "org.example.camera"

  private static let appText = """
    { "id": "org.example.camera", "name": "Camera", "usageDescriptions": { "camera": "To take pictures." } }
    """
  private static let extensionText = """
    {
      "id": "org.example.camera.capture",
      "name": "Capture",
      "executable": "bin/capture",
      "protocol": "none",
      "policy": "base"
    }
    """

  init() throws {
    directory = "/tmp/darkroom-commands-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(bundle)/Extensions/Capture/bin")
    try write("Camera/app.json", Self.appText)
    try write("Camera/Extensions/Capture/extension.json", Self.extensionText)
    let program = try #require(try FileSystem.contents("/bin/true"))
    try FileSystem.replaceContents("\(bundle)/Extensions/Capture/bin/capture", with: program, mode: 0o755)
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// Writes a text file below the directory.
  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  /// Writes a file below the directory.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    try FileSystem.replaceContents("\(directory)/\(name)", with: bytes, mode: 0o644)
  }

  /// Runs a command line with the state root of the test.
  func run(_ words: String..., input: String = "") throws -> CommandResult {
    try CommandResult.run(["--root", root] + words, input: input)
  }

  func install() throws {
    try #require(try run("install", bundle).code == 0)
  }

  /// Returns the store of the app in a prepared state root.
  func store() throws -> AppStore {
    let root = StateRoot(path: root)
    try root.prepare()
    return try root.app(Self.app)
  }

  /// Migrates a session with one content file, like the host.
  @discardableResult
  func migrateSession(_ text: String = "picture", as name: String = "picture.txt") throws -> SessionID {
    let workspace = try workspace(text, as: name)
    let id = workspace.id
    let draft = SessionRecord(
      sessionID: id,
      app: Self.app,
      extensionID: workspace.extensionID,
      startedAt: workspace.startedAt,
      endedAt: workspace.startedAt + 1500,
      outcome: .completed(exitCode: 0)
    )
    _ = try Migration(workspace, draft: draft).run()
    return id
  }

  /// Returns an unmigrated session with one content file. After the value is destroyed, the session counts as
  /// one of an exited host.
  func workspace(_ text: String = "picture", as name: String = "picture.txt") throws -> SessionWorkspace {
    let workspace = try SessionWorkspace.prepare(for: store(), extensionID: "\(Self.app).capture")
    try FileSystem.replaceContents(
      "\(workspace.places.contentDirectory)/\(name)",
      with: Array(text.utf8)
    )
    return workspace
  }
}
