// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import SessionStore

/// The names by which an extension knows what is its own.
package struct InsidePaths: Sendable, Hashable {
  /// The session content directory.
  package var session: String
  /// The scratch space.
  package var container: String
  /// What is shown of the photo library.
  package var library: String
  /// What the app shares; nil: without a root of its own, a session to which nothing is shared has no name for it.
  package var assets: String?
  /// The extension's bundle.
  package var bundle: String
  /// The app context as a file.
  package var context: String

  /// In a root of the session's own.
  package static let ownRoot = InsidePaths(
    session: SessionPlaces.insideContentDirectory,
    container: "/container",
    library: "/library",
    assets: "/assets",
    bundle: "/extension",
    context: "/app-context.json"
  )

  /// Without a root of its own everything has its true name. Scratch space and context lie beside the content, in the
  /// session's directory, and are erased with it.
  package static func trueNames(
    content: String,
    assets: String? = nil,
    program: LaunchSubject.Program
  ) -> InsidePaths {
    let directory = FileSystem.directoryName(content)
    let bundle =
      switch program {
      case .bundled(let directory, _): directory
      case .file(let path), .shown(let path, _): FileSystem.directoryName(path)
      }
    return InsidePaths(
      session: content,
      container: "\(directory)/\(SessionPlaces.containerName)",
      library: "\(directory)/library",
      assets: assets,
      bundle: bundle,
      context: "\(directory)/app-context.json"
    )
  }

  /// The directories that every container has.
  package static let containerNames = ["home", "tmp", "shm", "run", "cache", "config", "data", "state"]

  /// Makes the scratch space and the file of a session without a root of its own. What an attempt before has made is
  /// not there: it made a root.
  package func make(context bytes: [UInt8]) throws(SystemCallError) {
    try FileSystem.makeDirectory(container, mode: 0o700)
    for name in Self.containerNames { try FileSystem.makeDirectory("\(container)/\(name)", mode: 0o700) }
    try FileSystem.replaceContents(context, with: bytes, mode: 0o400)
  }
}
