// SPDX-License-Identifier: Apache-2.0

/// The keys of an object in a manifest. A test compares them with the published schemas.
package struct ManifestKeys: Sendable, Hashable {
  /// The required keys.
  package var required: [String]
  /// The optional keys.
  package var optional: [String]

  /// All keys, the required keys first.
  package var all: [String] { required + optional }

  /// The keys of `app.json`.
  package static let app = ManifestKeys(
    required: ["id", "name"],
    optional: ["$schema", "open", "usageDescriptions", "groups", "controls"]
  )
  /// The keys of `extension.json`.
  package static let captureExtension = ManifestKeys(
    required: ["id", "name", "executable", "protocol"],
    optional: [
      "$schema", "arguments", "policy", "launchDeadline", "architectures", "environment", "usageDescriptions",
      "frames", "intent", "orientations", "warm",
    ]
  )
  /// The keys of a control.
  package static let control = ManifestKeys(
    required: ["id", "title", "extension"],
    optional: ["description", "icon", "intent", "requiresAuthentication"]
  )
  /// The keys of usage descriptions.
  package static let usageDescriptions = ManifestKeys(
    required: [],
    optional: ProtectedResource.allCases.map(\.rawValue)
  )
}
