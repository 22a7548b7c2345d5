// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning

/// The diagnosis of the libraries of optional features.
package enum LibraryDiagnosis {
  /// Returns one finding for each missing library, or one finding if none is missing.
  ///
  /// The findings are advice: sessions that do not use the features run without the libraries.
  package static func findings(missing: [OptionalLibrary]) -> [MachineFinding] {
    guard !missing.isEmpty else {
      return [MachineFinding("libraries", .present, "the libraries of all optional features can be loaded")]
    }
    return missing.map { library in
      MachineFinding(
        "libraries",
        .advice,
        library.fault,
        [Fix("Install the Debian package \(library.debianPackage)")]
      )
    }
  }
}
