// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import JSONText
internal import PolicyExplanation

/// The output of commands that validate or install a bundle.
struct BundleOutput {
  /// The path of the bundle, as given by the user.
  let path: String
  /// Whether the output is JSON.
  let isJSON: Bool
  /// The console to which the output is written.
  let console: Console

  /// Prints the result of a validation and returns the exit code.
  ///
  /// - Throws: A `CommandFailure` if the bundle has errors.
  func printValidation(_ report: BundleReport) throws(CommandFailure) -> Int32 {
    guard let bundle = report.bundle else {
      throw printRefusal(report.diagnostics, sentence: "cannot be installed")
    }
    note(report.diagnostics)
    if isJSON {
      console.print(document(isValid: true, report.diagnostics, app: bundle.manifest.id))
    } else {
      let count = bundle.extensions.count
      console.print("\(name) can be installed: \(bundle.manifest.id) with \(Self.extensions(count))")
    }
    return 0
  }

  /// Prints the result of an installation.
  func printInstallation(_ installation: Installation) {
    note(installation.warnings)
    let app = installation.app
    if isJSON {
      console.print([
        "app": AppOutput.json(app),
        "origin": .string(installation.origin.rawValue),
        "diagnostics": .array(installation.warnings.map(\.json)),
      ])
    } else {
      let verb = installation.origin == .new ? "installed" : "installed again"
      let id = TextTable.printable(app.manifest.id)
      console.print("\(verb) \(id) with \(Self.extensions(app.extensions.count))")
    }
  }

  /// Prints the faults of a bundle, and returns the failure to throw.
  func printRefusal(_ faults: [ManifestDiagnostic], sentence: String = "was not installed") -> CommandFailure
  {
    note(faults)
    if isJSON { console.print(document(isValid: false, faults, app: nil)) }
    let errors = faults.count { $0.severity == .error }
    return CommandFailure(.data, "\(name) \(sentence): \(errors) error\(errors == 1 ? "" : "s")")
  }

  private var name: String { TextTable.printable(path) }

  /// Prints the faults as text. JSON output contains the faults in the document instead.
  private func note(_ faults: [ManifestDiagnostic]) {
    if !isJSON { for fault in faults { console.note("\(fault)") } }
  }

  private func document(isValid: Bool, _ faults: [ManifestDiagnostic], app: String?) -> JSONValue {
    .object([
      "path": .string(path),
      "valid": .bool(isValid),
      "app": app.map(JSONValue.string),
      "diagnostics": .array(faults.map(\.json)),
    ])
  }

  private static func extensions(_ count: Int) -> String { "\(count) extension\(count == 1 ? "" : "s")" }
}
