// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import SessionStore

/// The paths in the sandbox at which an extension finds its own files.
package struct SandboxPaths: Sendable, Hashable {
  /// The session content directory.
  package var session: String
  /// The extension container (scratch space).
  package var container: String
  /// The visible part of the photo library.
  package var library: String
  /// The assets that the app shares, or `nil` for a session in restricted mode without shared assets.
  package var assets: String?
  /// The bundle of the extension.
  package var bundle: String
  /// The app context as a file.
  package var context: String

  /// The paths in a session with its own root.
  package static let ownRoot = SandboxPaths(
    session: SessionPaths.sandboxContentDirectory,
    container: "/container",
    library: "/library",
    assets: "/assets",
    bundle: "/extension",
    context: "/app-context.json"
  )

  /// Returns the paths in a session without its own root, which are the host's paths.
  ///
  /// The container and the context are in the session's directory, next to the content, and are erased with
  /// it.
  package static func hostPaths(
    content: String,
    assets: String? = nil,
    program: LaunchTarget.Program
  ) -> SandboxPaths {
    let directory = FileSystem.directoryName(content)
    let bundle =
      switch program {
      case .bundled(let directory, _): directory
      case .file(let path), .shown(let path, _): FileSystem.directoryName(path)
      }
    return SandboxPaths(
      session: content,
      container: "\(directory)/\(SessionPaths.containerName)",
      library: "\(directory)/library",
      assets: assets,
      bundle: bundle,
      context: "\(directory)/app-context.json"
    )
  }

  /// The names of the directories in every container.
  package static let containerNames = ["home", "tmp", "shm", "run", "cache", "config", "data", "state"]

  /// Creates the container and the context file of a session without its own root. A failed earlier attempt
  /// has not created them, because it used its own root.
  package func make(context bytes: [UInt8]) throws(SystemCallError) {
    try FileSystem.makeDirectory(container, mode: 0o700)
    for name in Self.containerNames { try FileSystem.makeDirectory("\(container)/\(name)", mode: 0o700) }
    try FileSystem.replaceContents(context, with: bytes, mode: 0o400)
  }
}
