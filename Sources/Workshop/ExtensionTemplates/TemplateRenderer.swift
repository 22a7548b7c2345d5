// SPDX-License-Identifier: Apache-2.0

/// A renderer of templates, in which names between two `@` are placeholders.
struct TemplateRenderer {
  /// The values of the placeholders.
  private let values: [String: String]

  /// Creates a renderer. The values must already be escaped for the places where they are inserted.
  init(_ values: [String: String]) { self.values = values }

  /// Replaces the placeholders of a template, without replacing placeholders in the values.
  ///
  /// Lines about the license of the template are omitted, because the generated files belong to the user.
  func render(_ template: String) -> String {
    var result = ""
    for line in template.split(separator: "\n", omittingEmptySubsequences: false) {
      guard !line.contains("SPDX-License-Identifier") else { continue }
      result += renderLine(line) + "\n"
    }
    result.removeLast()
    return result
  }

  /// Replaces the placeholders of a line. Text between two `@` that is not a known name is kept.
  private func renderLine(_ line: Substring) -> String {
    var result = ""
    var rest = line
    while let open = rest.firstIndex(of: "@") {
      result += rest[..<open]
      let after = rest[rest.index(after: open)...]
      guard let close = after.firstIndex(of: "@"), let value = values[String(after[..<close])] else {
        result += "@"
        rest = after
        continue
      }
      result += value
      rest = after[after.index(after: close)...]
    }
    return result + rest
  }

  /// Returns a Swift string literal of any text.
  static func swiftLiteral(_ text: String) -> String {
    let characters = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control: "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }
    return "\"\(characters.joined())\""
  }
}
