// SPDX-License-Identifier: Apache-2.0

/// A validated app bundle: an app with its extensions in a directory.
package struct AppBundle: Sendable, Hashable {
  /// The path of the bundle.
  package var path: String
  /// The manifest of the app.
  package var manifest: AppManifest
  /// The extensions, ordered by directory name.
  package var extensions: [BundledExtension]

  /// The file name of the app's manifest.
  package static let manifestName = "app.json"
  /// The name of the directory that contains the extensions.
  package static let extensionsName = "Extensions"
  /// The file name of an extension's manifest.
  package static let extensionManifestName = "extension.json"
}

/// An extension in its app's bundle.
package struct BundledExtension: Sendable, Hashable {
  /// The directory of the extension, relative to the bundle: `Extensions/Capture`.
  package var directory: String
  /// The manifest of the extension.
  package var manifest: ExtensionManifest

  /// Returns the path of a file of the extension, relative to the bundle.
  package func path(of file: String) -> String { "\(directory)/\(file)" }
}
