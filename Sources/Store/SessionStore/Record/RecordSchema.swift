// SPDX-License-Identifier: Apache-2.0

/// The published schema of session records.
package enum RecordSchema {
  /// The text of the JSON Schema.
  package static let bytes: [UInt8] = PackageResources.record_schema_json
}
