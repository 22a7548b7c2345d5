// SPDX-License-Identifier: Apache-2.0

internal import SandboxAudit

/// A type of document with a published JSON Schema.
public enum DocumentSchema: String, Sendable, Hashable, CaseIterable {
  /// The manifest of an app, `app.json`.
  case app
  /// The manifest of an extension, `extension.json`.
  case captureExtension = "extension"
  /// A policy.
  case policy
  /// The invariants that every filter keeps.
  case invariants
  /// The record of a session.
  case record
  /// The report of an audit.
  case audit

  /// The text of the schema.
  public var text: String {
    let schema: PublishedSchema =
      switch self {
      case .app: .app
      case .captureExtension: .extension
      case .policy: .policy
      case .invariants: .invariants
      case .record: .record
      case .audit: .audit
      }
    return schema.text
  }
}
