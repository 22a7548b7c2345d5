// SPDX-License-Identifier: Apache-2.0

/// The published descriptions of the manifests (JSON Schema 2020-12), for editors and other programs.
///
/// They say less than the validator does: no schema can look at files.
package enum ManifestSchema: String, Sendable, CaseIterable {
  /// The schema of `app.json`.
  case app
  /// The schema of `extension.json`.
  case captureExtension = "extension"

  /// The schema's text.
  package var bytes: [UInt8] {
    switch self {
    case .app: PackageResources.app_schema_json
    case .captureExtension: PackageResources.extension_schema_json
    }
  }
}
