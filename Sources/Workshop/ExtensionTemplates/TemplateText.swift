// SPDX-License-Identifier: Apache-2.0

/// A text in which names between two @ stand for what is put there.
struct TemplateText {
  /// What the names stand for.
  private let values: [String: String]

  /// Knows what the names stand for; whatever has to be escaped where it is put is escaped in the value already.
  init(_ values: [String: String]) { self.values = values }

  /// Puts in what the names stand for, once: a name in a value stays as it is. Lines that are about the licence of the
  /// template are left out, because what is made of it is the person's own.
  func render(_ template: String) -> String {
    var result = ""
    for line in template.split(separator: "\n", omittingEmptySubsequences: false) {
      guard !line.contains("SPDX-License-Identifier") else { continue }
      result += renderLine(line) + "\n"
    }
    result.removeLast()
    return result
  }

  /// Puts values into a line; what stands between two @ and is no name stays.
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

  /// A text as a literal of Swift, whatever is in it.
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
