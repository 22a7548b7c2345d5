// SPDX-License-Identifier: Apache-2.0

/// The published JSON Schema of audit reports.
package enum AuditSchema {
  /// The text of the schema.
  package static let bytes: [UInt8] = PackageResources.audit_schema_json
}
