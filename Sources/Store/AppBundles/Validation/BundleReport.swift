// SPDX-License-Identifier: Apache-2.0

/// What a look at a bundle has found.
package struct BundleReport: Sendable, Hashable {
  /// The bundle, if it has no error.
  package var bundle: AppBundle?
  /// All that is wrong, by file, then by place.
  package var diagnostics: [ManifestDiagnostic]

  /// The faults for which the bundle cannot be installed.
  package var errors: [ManifestDiagnostic] { diagnostics.filter { $0.severity == .error } }
  /// The faults with which it can.
  package var warnings: [ManifestDiagnostic] { diagnostics.filter { $0.severity == .warning } }
}
