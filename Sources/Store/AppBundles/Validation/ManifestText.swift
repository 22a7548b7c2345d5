// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A single manifest, validated without the bundle's files and other manifests.
package struct ManifestText<Manifest: Sendable>: Sendable {
  /// The manifest, or `nil` if a required value is missing.
  package let manifest: Manifest?
  /// The problems found.
  package let diagnostics: [ManifestDiagnostic]

  /// Parses the text of a file.
  fileprivate init(
    _ file: String,
    _ text: [UInt8],
    _ read: (JSONNode, inout ManifestReader) -> Manifest?
  ) {
    var reader = ManifestReader(file: file)
    do { manifest = read(try JSONNode.parse(text), &reader) } catch {
      reader.add(.syntax(JSONSyntaxErrorText(error)), "", at: error.position)
      manifest = nil
    }
    diagnostics = reader.diagnostics
  }
}

extension ManifestText where Manifest == AppManifest {
  /// Parses the manifest of an app.
  package static func app(_ text: [UInt8]) -> Self {
    Self(AppBundle.manifestName, text) { node, reader in AppDraft(node, &reader).manifest }
  }
}

extension ManifestText where Manifest == ExtensionManifest {
  /// Parses the manifest of an extension.
  package static func captureExtension(_ text: [UInt8]) -> Self {
    Self(AppBundle.extensionManifestName, text) { node, reader in
      let draft = ExtensionDraft(node, &reader)
      return draft.manifest(policy: .shipped(draft.policy ?? ExtensionManifest.defaultPolicy))
    }
  }
}
