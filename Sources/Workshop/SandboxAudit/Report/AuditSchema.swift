// SPDX-License-Identifier: Apache-2.0

/// The published description of audit reports.
package enum AuditSchema {
  /// The text of the JSON Schema.
  package static let bytes: [UInt8] = PackageResources.audit_schema_json
}
