// SPDX-License-Identifier: Apache-2.0

/// The policies of Darkroom, embedded in the program.
package enum ShippedPolicies {
  /// The name of the default policy for extensions.
  package static let defaultName = "capture"

  /// The file names and contents of the policies.
  package static let texts: [(source: String, text: [UInt8])] = [
    ("base.json", PackageResources.base_json),
    ("capture.json", PackageResources.capture_json),
    ("container.json", PackageResources.container_json),
    ("strict.json", PackageResources.strict_json),
  ]

  /// The JSON Schema of policy documents.
  package static let schema: [UInt8] = PackageResources.policy_schema_json

  /// The JSON Schema of documents of invariants.
  package static let invariantsSchema: [UInt8] = PackageResources.invariants_schema_json

  /// The file name and content of the document with the invariants of all policies.
  package static let invariants: (source: String, text: [UInt8]) = (
    "invariants.json", PackageResources.invariants_json
  )
}
