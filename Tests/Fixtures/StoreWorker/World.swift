// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import LinuxPrimitives
internal import PhotoLibrary
internal import SessionStore

/// The places that the worker works in.
struct World {
  /// The app that everything is about.
  static let appID = "org.example.camera"
  /// Its extension; the plan of a session follows.
  static let extensionID = "org.example.camera.capture"

  /// The state root.
  let root: StateRoot
  /// What was acknowledged.
  let marks: Marks

  /// Works in a root.
  init(_ root: StateRoot) {
    self.init(root, Marks(path: CurrentProcess.environment("MARK")))
  }

  private init(_ root: StateRoot, _ marks: Marks) {
    self.root = root
    self.marks = marks
  }

  /// The same for who notes nothing.
  var withoutMarks: World { World(root, Marks(path: nil)) }

  /// The photo library: beside the root.
  var library: LibraryPlace { LibraryPlace(path: "\(FileSystem.directoryName(root.path))/library") }

  /// The catalog of the root.
  var catalog: AppCatalog {
    AppCatalog(appsDirectory: root.appsDirectory, groupsDirectory: root.groupsDirectory)
  }

  /// The app.
  func app() throws -> AppStore { try root.app(Self.appID) }

  /// Makes the root and the app's directories, as every command does.
  func prepare() throws {
    try root.prepare()
    try app().prepare()
  }
}

/// The file of what was acknowledged: one line each, written when it was done.
///
/// It lies outside the root, where nothing is injured.
struct Marks {
  /// The file; nil: nobody wants to know.
  let path: String?

  /// Notes a line.
  func note(_ line: String) throws {
    guard let path else { return }
    let file = try FileSystem.open(path, [.write, .create, .append])
    try file.writeAll(Array("\(line)\n".utf8))
  }

  /// The words of all lines; a line that a power failure has cut short is none.
  func lines() throws -> [[String]] {
    guard let path, try FileSystem.status(path) != nil else { return [] }
    let text = String(decoding: try FileSystem.contents(path, limit: 1 << 30) ?? [], as: UTF8.self)
    let whole =
      text.hasSuffix("\n") ? Substring(text) : text[..<(text.lastIndex(of: "\n") ?? text.startIndex)]
    return whole.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }
}
