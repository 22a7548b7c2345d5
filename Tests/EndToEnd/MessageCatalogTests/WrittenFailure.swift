// SPDX-License-Identifier: Apache-2.0

/// A failure of a command whose message is written where it is thrown: no type contains such a message.
struct WrittenFailure {
  /// The path of the file.
  var file: String
  /// The string literals of the call, with `\(…)` for each interpolation.
  var text: String

  private static let call = "CommandFailure("

  /// Creates the failure that begins in the first line, or returns `nil` if it contains no text of its own.
  init?(_ lines: ArraySlice<String>, _ path: String) {
    guard let line = lines.first, line.contains(Self.call) else { return nil }
    let parts = lines.prefix(16).map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix("//") }
    let text = parts.joined(separator: " ")
    guard let start = text.firstRange(of: Self.call)?.upperBound else { return nil }
    self.file = path
    self.text = Self.literals(text[start...])
    let words = self.text.replacing("\\(…)", with: "").split(separator: " ").filter {
      $0.contains(where: \.isLetter)
    }
    guard words.count > 1 else { return nil }
  }

  /// Returns the literals of an argument list, up to its closing parenthesis.
  private static func literals(_ arguments: Substring) -> String {
    var (result, depth, isLiteral, rest) = ("", 1, false, arguments)
    while depth > 0, let character = rest.popFirst() {
      switch (isLiteral, character) {
      case (true, "\\"):
        let escaped = rest.popFirst() ?? " "
        guard escaped == "(" else {
          result += escaped == "\"" ? "\"" : "\\\(escaped)"
          continue
        }
        skipInterpolation(&rest)
        result += "\\(…)"
      case (_, "\""): isLiteral.toggle()
      case (true, _): result.append(character)
      case (false, "("): depth += 1
      case (false, ")"): depth -= 1
      default: break
      }
    }
    return result
  }

  /// Removes the rest of an interpolation and its closing parenthesis.
  private static func skipInterpolation(_ rest: inout Substring) {
    var depth = 1
    while depth > 0, let character = rest.popFirst() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
    }
  }
}
