// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import LinuxPrimitives

/// The command that opens an app, with the path of its program.
struct OpenCommand: Hashable {
  /// The absolute path of the program.
  let program: String
  /// The arguments from the manifest, including the name of the program.
  let arguments: [String]

  /// Searches for the program: an absolute path, a path relative to the installed bundle, or a name in
  /// `PATH`.
  init(_ installed: InstalledApp, path: String?) throws(ApplicationOpeningError) {
    let id = installed.manifest.id
    guard let name = installed.manifest.open.first else { throw .noCommand(app: id) }
    arguments = installed.manifest.open
    var refused: String?
    for candidate in Self.candidates(name, installed, path: path ?? AppEnvironment.standardPath) {
      // Symbolic links are followed, as execve(2) does.
      guard let real = try? FileSystem.realPath(candidate),
        let status = try? FileSystem.status(real)
      else { continue }
      if status.kind == .regular, status.permissions & 0o111 != 0 {
        program = candidate
        return
      }
      refused = refused ?? candidate
    }
    if let refused { throw .notExecutable(app: id, program: refused) }
    throw .programNotFound(app: id, program: name)
  }

  private static func candidates(_ name: String, _ installed: InstalledApp, path: String) -> [String] {
    if name.hasPrefix("/") { return [name] }
    if name.contains("/") { return ["\(installed.bundlePath)/\(name)"] }
    // A relative entry would be another directory for a program with another working directory.
    return path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
  }
}
