// SPDX-License-Identifier: Apache-2.0

package import Digests

/// An installed app.
package struct InstalledApp: Sendable, Hashable {
  /// The manifest of the app.
  package var manifest: AppManifest
  /// The directory of the app below the state root: `apps/<id>`.
  package var directory: String
  /// The path of the installed copy of the bundle.
  package var bundlePath: String
  /// The time of the installation, in milliseconds since 1970.
  package var installedAt: Int64
  /// The app's extensions.
  package var extensions: [InstalledExtension]
}

/// The digests and links by which an installed extension is pinned.
package struct PinnedDigests: Sendable, Hashable {
  /// The digest of the program, or `nil` if symbolic links lead to a program of the host, which is not
  /// pinned.
  package var executable: SHA256Digest?
  /// The symbolic links that lead from the manifest's path to the program, in order.
  package var links: [ProgramLink] = []
  /// The digest of the manifest.
  package var manifest: SHA256Digest
  /// The digest of the policy document, or `nil` if the extension has none.
  package var policy: SHA256Digest?
}

/// A symbolic link on the way to a program.
package struct ProgramLink: Sendable, Hashable {
  /// The path of the link, relative to the extension's directory, without links.
  package var path: String
  /// The target of the link.
  package var target: String

  /// Creates a link.
  package init(path: String, target: String) {
    self.path = path
    self.target = target
  }
}
