// SPDX-License-Identifier: Apache-2.0

package import Digests

/// An app that is installed.
package struct InstalledApp: Sendable, Hashable {
  /// What the app says of itself.
  package var manifest: AppManifest
  /// Everything of the app below the state root: `apps/<id>`.
  package var directory: String
  /// The installed copy of the bundle.
  package var bundlePath: String
  /// When it was installed, in milliseconds since 1970.
  package var installedAt: Int64
  /// The app's extensions.
  package var extensions: [InstalledExtension]
}

/// What an installed extension is pinned by.
package struct PinnedDigests: Sendable, Hashable {
  /// The digest of the program, or `nil` if symbolic links lead to a program of the host, which is the host's own.
  package var executable: SHA256Digest?
  /// The symbolic links that lead from the manifest's path to the program, in this order.
  package var links: [ProgramLink] = []
  /// The manifest's.
  package var manifest: SHA256Digest
  /// The policy document's, if the extension brought one.
  package var policy: SHA256Digest?
}

/// A symbolic link that leads to a program.
package struct ProgramLink: Sendable, Hashable {
  /// Its path from the extension's directory, without links.
  package var path: String
  /// Its text.
  package var target: String

  /// Describes a link.
  package init(path: String, target: String) {
    self.path = path
    self.target = target
  }
}
