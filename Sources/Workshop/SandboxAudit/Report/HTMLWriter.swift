// SPDX-License-Identifier: Apache-2.0

internal import PolicyExplanation

/// A writer of HTML. Untrusted text is inserted only through ``escaped(_:)``.
struct HTMLWriter {
  /// The HTML so far.
  private(set) var text = ""

  /// Writes an element that contains other elements. The name and attributes must be trusted.
  mutating func element(_ name: String, _ attributes: String = "", _ body: (inout HTMLWriter) -> Void) {
    text += attributes.isEmpty ? "<\(name)>" : "<\(name) \(attributes)>"
    body(&self)
    text += "</\(name)>\n"
  }

  /// Writes an element that contains untrusted text.
  mutating func element(_ name: String, _ attributes: String = "", text content: String) {
    element(name, attributes) { $0.write(content) }
  }

  /// Writes untrusted text.
  mutating func write(_ content: String) { text += Self.escaped(content) }

  /// Writes trusted markup.
  mutating func writeMarkup(_ markup: String) { text += markup }

  /// Returns a text without markup and without Unicode direction controls.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in TextTable.printable(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
