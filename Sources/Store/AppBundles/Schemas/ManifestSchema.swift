// SPDX-License-Identifier: Apache-2.0

/// The published JSON schemas of the manifests (JSON Schema 2020-12), for editors and other tools.
///
/// The validator checks more, because schemas cannot inspect files.
package enum ManifestSchema: String, Sendable, CaseIterable {
  /// The schema of `app.json`.
  case app
  /// The schema of `extension.json`.
  case captureExtension = "extension"

  /// The text of the schema.
  package var bytes: [UInt8] {
    switch self {
    case .app: PackageResources.app_schema_json
    case .captureExtension: PackageResources.extension_schema_json
    }
  }
}
