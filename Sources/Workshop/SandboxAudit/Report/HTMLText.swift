// SPDX-License-Identifier: Apache-2.0

internal import PolicyWords

/// Text of a page that is being written. Everything that comes from outside gets in by ``escaped(_:)``.
struct HTMLText {
  /// What is written so far.
  private(set) var text = ""

  /// Writes an element with other elements in it. Names and attributes are the page's own.
  mutating func element(_ name: String, _ attributes: String = "", _ body: (inout HTMLText) -> Void) {
    text += attributes.isEmpty ? "<\(name)>" : "<\(name) \(attributes)>"
    body(&self)
    text += "</\(name)>\n"
  }

  /// Writes an element with a text of unknown origin in it.
  mutating func element(_ name: String, _ attributes: String = "", text content: String) {
    element(name, attributes) { $0.write(content) }
  }

  /// Writes a text of unknown origin.
  mutating func write(_ content: String) { text += Self.escaped(content) }

  /// Writes what the page itself consists of.
  mutating func raw(_ markup: String) { text += markup }

  /// A text that a browser shows as it is: neither markup nor an order about the direction of text.
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
