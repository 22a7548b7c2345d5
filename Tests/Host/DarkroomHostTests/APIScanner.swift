// SPDX-License-Identifier: Apache-2.0

/// A scanner for the public declarations of a formatted Swift file.
///
/// A declaration starts at a line with `public`, or with `case` in a public enumeration, and ends at its
/// body. Types must be formatted with the closing brace at the indentation of their first line.
enum APIScanner {
  /// A type or extension that contains the current line.
  private struct Scope {
    var name: String
    /// The indentation of the first line.
    var indentation: Int
    /// Whether the cases and requirements of the type are public without a keyword.
    var exposesMembers: Bool
  }

  /// Returns the declarations of a source file, sorted, each with the path of its type.
  static func declarations(_ source: String) -> [String] {
    var (scopes, found): ([Scope], [String]) = ([], [])
    var pending: (text: String, indentation: Int)?
    // Whether the previous line has begun the body of a property, whose getter can have effects.
    var isProperty = false
    for line in source.split(separator: "\n") {
      let indentation = line.prefix { $0 == " " }.count
      let text = line.dropFirst(indentation)
      if text.hasPrefix("//") { continue }
      if isProperty, text.hasPrefix("get "), let last = found.indices.last {
        found[last] += " { \(withoutBody(String(text))) }"
      }
      isProperty = false
      if let started = pending {
        pending = (join(started.text, text), started.indentation)
      } else {
        while let scope = scopes.last, indentation <= scope.indentation { scopes.removeLast() }
        guard starts(text, in: scopes.last, indentation) else { continue }
        pending = (String(text), indentation)
      }
      guard let declaration = pending, isComplete(declaration.text) else { continue }
      pending = nil
      add(declaration.text, declaration.indentation, &scopes, &found)
      isProperty = declaration.text.contains(" var ") && declaration.text.hasSuffix("{")
    }
    return found.sorted()
  }

  /// Adds a complete declaration, and opens the scope of a type.
  private static func add(
    _ text: String,
    _ indentation: Int,
    _ scopes: inout [Scope],
    _ found: inout [String]
  ) {
    let head = withoutBody(text)
    let words = head.split(whereSeparator: { " :(<{".contains($0) })
    let keywords: Set<Substring> = ["struct", "class", "enum", "protocol", "extension"]
    let keyword = words.firstIndex(where: keywords.contains)
    let name = keyword.flatMap { words.indices.contains($0 + 1) ? String(words[$0 + 1]) : nil }
    var path = scopes.map(\.name)
    if let name { path.append(name) }
    if !head.hasPrefix("extension") { found.append("\(path.joined(separator: ".")): \(head)") }
    guard let name, let keyword else { return }
    let exposes = ["enum", "protocol"].contains(words[keyword])
    let inner = text.dropFirst(head.count).drop { $0 == " " || $0 == "{" }.prefix { $0 != "}" }
    if inner.hasPrefix("case ") {
      let member = inner.reversed().drop { $0 == " " }.reversed()
      found.append("\(path.joined(separator: ".")): \(String(member))")
    }
    if !text.hasSuffix("}") {
      scopes.append(Scope(name: name, indentation: indentation, exposesMembers: exposes))
    }
  }

  /// Returns whether a declaration starts at a line.
  private static func starts(_ text: Substring, in scope: Scope?, _ indentation: Int) -> Bool {
    if text.hasPrefix("public ") || text.hasPrefix("@discardableResult public ") { return true }
    if text.hasPrefix("extension ") { return true }
    guard let scope, scope.exposesMembers, indentation == scope.indentation + 2 else { return false }
    return ["case ", "func ", "var "].contains { text.hasPrefix($0) }
  }

  /// Returns whether all parentheses are closed, and a body has begun or none follows.
  private static func isComplete(_ text: String) -> Bool {
    let depth = text.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }
    return depth == 0
  }

  /// Returns a declaration without its body and its default value.
  private static func withoutBody(_ text: String) -> String {
    var depth = 0
    var head = ""
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0, character == "{" || character == "=" && !head.hasSuffix("=") && !head.hasPrefix("case") {
        break
      }
      head.append(character)
    }
    while head.hasSuffix(" ") { head.removeLast() }
    return head
  }

  /// Returns two lines of a declaration as one.
  private static func join(_ first: String, _ second: Substring) -> String {
    first.hasSuffix("(") || second.hasPrefix(")") ? first + second : "\(first) \(second)"
  }
}
