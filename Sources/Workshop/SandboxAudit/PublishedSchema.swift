// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import Policies
internal import SessionStore

/// A type of document with a published JSON Schema.
package enum PublishedSchema: String, CaseIterable, Sendable {
  /// `app.json` of a bundle.
  case app
  /// `extension.json` of a bundle.
  case `extension`
  /// A policy.
  case policy
  /// The invariants that every filter keeps.
  case invariants
  /// The record of a session.
  case record
  /// A report of `darkroom audit`.
  case audit

  /// The text of the schema.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private var bytes: [UInt8] {
    switch self {
    case .app: ManifestSchema.app.bytes
    case .extension: ManifestSchema.captureExtension.bytes
    case .policy: ShippedPolicies.schema
    case .invariants: ShippedPolicies.invariantsSchema
    case .record: RecordSchema.bytes
    case .audit: AuditSchema.bytes
    }
  }
}
