// SPDX-License-Identifier: Apache-2.0

internal import CPolicyFiles

/// The policies of Darkroom, embedded in the program.
package enum ShippedPolicies {
  /// The name of the default policy for extensions.
  package static let defaultName = "capture"

  /// The file names and contents of the policies.
  package static let texts: [(source: String, text: [UInt8])] =
    ["base.json", "capture.json", "container.json", "strict.json"].map(file)

  /// The JSON Schema of policy documents.
  package static let schema: [UInt8] = file("policy.schema.json").text

  /// The JSON Schema of documents of invariants.
  package static let invariantsSchema: [UInt8] = file("invariants.schema.json").text

  /// The file name and content of the document with the invariants of all policies.
  package static let invariants: (source: String, text: [UInt8]) = file("invariants.json")

  private static func file(_ name: String) -> (source: String, text: [UInt8]) {
    let file = policy_file(name)
    precondition(file.bytes != nil, "\(name) is not embedded")
    return (name, Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
  }
}
