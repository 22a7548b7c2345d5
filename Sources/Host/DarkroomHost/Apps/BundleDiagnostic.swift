// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import JSONText

/// A problem of a bundle, with its position and its fix.
public struct BundleDiagnostic: Sendable, Hashable, CustomStringConvertible {
  /// The severity of a problem.
  public enum Severity: String, Sendable, Hashable {
    /// The bundle cannot be installed.
    case error
    /// The bundle can be installed, but probably contains a mistake.
    case warning
  }

  /// The file, relative to the bundle.
  public let file: String
  /// The line in the file, from 1, or `nil` if the problem has no position.
  public let line: Int?
  /// The column in bytes, from 1, or `nil` if the problem has no position.
  public let column: Int?
  /// The path of the key in the manifest, such as `controls[0].extension`, or an empty text.
  public let key: String
  /// The severity.
  public let severity: Severity
  /// The problem.
  public let reason: String
  /// The fix.
  public let fix: String
  /// The diagnostic in the format of compilers.
  public let description: String

  /// Creates a diagnostic from that of a manifest.
  init(_ diagnostic: ManifestDiagnostic) {
    (file, key) = (diagnostic.file, diagnostic.key)
    (line, column) = (diagnostic.position?.line, diagnostic.position?.column)
    severity = diagnostic.severity == .error ? .error : .warning
    (reason, fix) = (diagnostic.reason, diagnostic.fix)
    description = diagnostic.description
  }
}
