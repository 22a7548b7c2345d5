// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// One thing that is wrong with a bundle: where, what, and how to mend it.
package struct ManifestDiagnostic: Sendable, Hashable {
  /// How bad a fault is.
  package enum Severity: String, Sendable, Hashable {
    /// The bundle cannot be installed.
    case error
    /// The bundle can be installed, but somebody probably meant something else.
    case warning
  }

  /// The file, from the bundle's directory.
  package var file: String
  /// Where in the file, if the file is a manifest and could be read.
  package var position: TextPosition?
  /// The manifest's key, with its path from the top: `controls[0].extension`; empty where the fault is the file's.
  package var key: String
  /// What is wrong.
  package var fault: ManifestFault

  /// Describes a fault.
  package init(file: String, position: TextPosition? = nil, key: String = "", fault: ManifestFault) {
    self.file = file
    self.position = position
    self.key = key
    self.fault = fault
  }

  /// What is wrong, in words.
  package var reason: String { fault.reason }
  /// How to mend it, in words.
  package var mend: String { fault.mend }
  /// How bad it is.
  package var severity: Severity { fault.severity }
}

extension ManifestDiagnostic: CustomStringConvertible {
  /// One line, as compilers print it: `Extensions/X/extension.json:4:17: policy: …; write …`.
  ///
  /// What came from the bundle cannot reach a terminal as a control character.
  package var description: String {
    var text = file
    if let position { text += ":\(position)" }
    text += severity == .warning ? ": warning: " : ": "
    if !key.isEmpty { text += "\(key): " }
    return printable("\(text)\(reason); \(mend)")
  }

  /// The same as data.
  package var json: JSONValue {
    .object([
      "file": .string(file),
      "line": position.map { .integer(Int64($0.line)) },
      "column": position.map { .integer(Int64($0.column)) },
      "key": key.isEmpty ? nil : .string(key),
      "severity": .string(severity.rawValue),
      "reason": .string(reason),
      "mend": .string(mend),
    ])
  }
}

/// A text in which control characters have become escapes.
func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isControl) else { return text }
  return text.unicodeScalars.map { isControl($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
}

/// Whether a terminal might obey a character instead of showing it.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator: true
  default: false
  }
}
