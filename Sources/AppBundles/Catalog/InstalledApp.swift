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

/// The digests that an installed extension is pinned by.
package struct PinnedDigests: Sendable, Hashable {
  /// The program's.
  package var executable: SHA256Digest
  /// The manifest's.
  package var manifest: SHA256Digest
  /// The policy document's, if the extension brought one.
  package var policy: SHA256Digest?
}
