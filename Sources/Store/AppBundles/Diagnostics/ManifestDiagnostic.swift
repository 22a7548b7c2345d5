// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// One problem of a bundle, with its position and fix.
package struct ManifestDiagnostic: Sendable, Hashable {
  /// The severity of a problem.
  package enum Severity: String, Sendable, Hashable {
    /// The bundle cannot be installed.
    case error
    /// The bundle can be installed, but probably contains a mistake.
    case warning
  }

  /// The file, relative to the bundle.
  package var file: String
  /// The position in the file, if the file is a manifest and could be parsed.
  package var position: TextPosition?
  /// The path of the key in the manifest, such as `controls[0].extension`, or an empty text if the problem
  /// concerns the file.
  package var key: String
  /// The problem.
  package var fault: ManifestFault

  /// Creates a diagnostic.
  package init(file: String, position: TextPosition? = nil, key: String = "", fault: ManifestFault) {
    self.file = file
    self.position = position
    self.key = key
    self.fault = fault
  }

  /// A description of the problem.
  package var reason: String { fault.reason }
  package var fix: String { fault.fix }
  package var severity: Severity { fault.severity }
}

extension ManifestDiagnostic: CustomStringConvertible {
  /// The diagnostic in the format of compilers: `Extensions/X/extension.json:4:17: policy: …; write …`.
  ///
  /// Control characters from the bundle are escaped, because the text may be printed on a terminal.
  package var description: String {
    var text = file
    if let position { text += ":\(position)" }
    text += severity == .warning ? ": warning: " : ": "
    if !key.isEmpty { text += "\(key): " }
    return printable("\(text)\(reason); \(fix)")
  }

  /// The diagnostic as JSON.
  package var json: JSONValue {
    .object([
      "file": .string(file),
      "line": position.map { .integer(Int64($0.line)) },
      "column": position.map { .integer(Int64($0.column)) },
      "key": key.isEmpty ? nil : .string(key),
      "severity": .string(severity.rawValue),
      "reason": .string(reason),
      "fix": .string(fix),
    ])
  }
}

/// Returns a text with control characters escaped.
func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isControl) else { return text }
  return text.unicodeScalars.map { isControl($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
}

/// Returns whether a terminal might interpret a character instead of displaying it.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator: true
  default: false
  }
}
