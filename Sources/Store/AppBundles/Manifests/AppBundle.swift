// SPDX-License-Identifier: Apache-2.0

/// An app with its extensions, as it lies in a directory and has been found without fault.
package struct AppBundle: Sendable, Hashable {
  /// The bundle's directory.
  package var path: String
  /// What the app says of itself.
  package var manifest: AppManifest
  /// The app's extensions, in the order of their directories' names.
  package var extensions: [BundledExtension]

  /// The name of the app's manifest in the bundle.
  package static let manifestName = "app.json"
  /// The name of the directory in the bundle that holds the extensions.
  package static let extensionsName = "Extensions"
  /// The name of an extension's manifest in its directory.
  package static let extensionManifestName = "extension.json"
}

/// An extension in its app's bundle.
package struct BundledExtension: Sendable, Hashable {
  /// The extension's directory, from the bundle's: `Extensions/Capture`.
  package var directory: String
  /// What the extension says of itself.
  package var manifest: ExtensionManifest

  /// The path of a file of the extension, from the bundle's directory.
  package func path(of file: String) -> String { "\(directory)/\(file)" }
}
