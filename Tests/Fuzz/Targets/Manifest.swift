// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import JSONText

/// Checks that both manifest readers return a manifest or errors, and that each fault has a description and a
/// valid position.
func checkManifest(_ input: [UInt8]) throws(Contradiction) {
  try check(ManifestText.app(input))
  try check(ManifestText.captureExtension(input))
}

/// Checks the result of one reader.
private func check<Manifest>(_ text: ManifestText<Manifest>) throws(Contradiction) {
  let errors = text.diagnostics.filter { $0.severity == .error }
  try require(text.manifest != nil || !errors.isEmpty, "a manifest was refused without a diagnostic")
  for diagnostic in text.diagnostics {
    try require(!"\(diagnostic)".isEmpty, "a fault without text: \(diagnostic.fault)")
    guard let position = diagnostic.position else { continue }
    try require(position.line >= 1 && position.column >= 1, "a fault is nowhere: \(diagnostic)")
  }
}
