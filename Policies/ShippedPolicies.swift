// SPDX-License-Identifier: Apache-2.0

/// The policies that come with Darkroom, as texts inside the program.
package enum ShippedPolicies {
  /// The name of the policy of extensions that name none.
  package static let standardName = "capture"

  /// The documents: file names and contents.
  package static let texts: [(source: String, text: [UInt8])] = [
    ("base.json", PackageResources.base_json),
    ("capture.json", PackageResources.capture_json),
    ("strict.json", PackageResources.strict_json),
  ]

  /// The JSON Schema of policy documents.
  package static let schema: [UInt8] = PackageResources.policy_schema_json

  /// The JSON Schema of documents of invariants.
  package static let invariantsSchema: [UInt8] = PackageResources.invariants_schema_json

  /// What holds under every policy: the file's name and content.
  package static let invariants: (source: String, text: [UInt8]) = (
    "invariants.json", PackageResources.invariants_json
  )
}
