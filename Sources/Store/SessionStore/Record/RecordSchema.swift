// SPDX-License-Identifier: Apache-2.0

/// The published description of session records.
package enum RecordSchema {
  /// The JSON Schema's text.
  package static let bytes: [UInt8] = PackageResources.record_schema_json
}
