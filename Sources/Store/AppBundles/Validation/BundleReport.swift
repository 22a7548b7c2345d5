// SPDX-License-Identifier: Apache-2.0

/// The result of validating a bundle.
package struct BundleReport: Sendable, Hashable {
  /// The bundle, or `nil` if it has errors.
  package var bundle: AppBundle?
  /// All problems, by file and position.
  package var diagnostics: [ManifestDiagnostic]

  /// The errors, which prevent the installation.
  package var errors: [ManifestDiagnostic] { diagnostics.filter { $0.severity == .error } }
  /// The warnings, which do not prevent the installation.
  package var warnings: [ManifestDiagnostic] { diagnostics.filter { $0.severity == .warning } }
}
