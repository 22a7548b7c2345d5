// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import LinuxPrimitives
internal import PhotoLibrary
internal import SessionStore

/// The environment of the worker.
struct WorkerEnvironment {
  /// The app that all operations use.
  static let appID = "org.example.camera"
  /// The extension ID prefix; the plan of a session is appended.
  static let extensionID = "org.example.camera.capture"

  let root: StateRoot
  let acknowledgments: AcknowledgmentLog

  /// Creates an environment for a state root.
  init(_ root: StateRoot) {
    self.init(root, AcknowledgmentLog(path: CurrentProcess.environment("MARK")))
  }

  private init(_ root: StateRoot, _ acknowledgments: AcknowledgmentLog) {
    self.root = root
    self.acknowledgments = acknowledgments
  }

  /// The same environment without acknowledgments.
  var withoutAcknowledgments: WorkerEnvironment { WorkerEnvironment(root, AcknowledgmentLog(path: nil)) }

  /// The photo library, in the parent directory of the root.
  var library: LibraryLocation { LibraryLocation(path: "\(FileSystem.directoryName(root.path))/library") }

  /// The catalog of the root.
  var catalog: AppCatalog {
    AppCatalog(appsDirectory: root.appsDirectory, groupsDirectory: root.groupsDirectory)
  }

  /// The app.
  func app() throws -> AppStore { try root.app(Self.appID) }

  /// Creates the root and the app's directories, like every command.
  func prepare() throws {
    try root.prepare()
    try app().prepare()
  }
}

/// The acknowledgment log: one line per operation, written when the operation is complete.
///
/// The file is outside the root, where no faults are injected.
struct AcknowledgmentLog {
  /// The file, or `nil` if acknowledgments are not recorded.
  let path: String?

  /// Appends a line.
  func note(_ line: String) throws {
    guard let path else { return }
    let file = try FileSystem.open(path, [.write, .create, .append])
    try file.writeAll(Array("\(line)\n".utf8))
  }

  /// Returns the words of all lines, except a line that a power failure has truncated.
  func lines() throws -> [[String]] {
    guard let path, try FileSystem.status(path) != nil else { return [] }
    let text = String(decoding: try FileSystem.contents(path, limit: 1 << 30) ?? [], as: UTF8.self)
    let whole =
      text.hasSuffix("\n") ? Substring(text) : text[..<(text.lastIndex(of: "\n") ?? text.startIndex)]
    return whole.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }
}
