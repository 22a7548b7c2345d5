// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import SandboxPolicy
internal import SystemCalls

/// A parser for the tokens of one minijail statement.
struct MinijailReader {
  private let tokens: [MinijailToken]
  private var index = 0

  /// Creates a parser at the first token.
  init(_ tokens: [MinijailToken]) { self.tokens = tokens }

  /// The next token, or `nil` at the end of the statement.
  private var current: MinijailToken? { index < tokens.count ? tokens[index] : nil }

  /// Whether the next token starts a comparison.
  var isAtArgument: Bool { current.map { $0.text.hasPrefix("arg") && $0.text.count > 3 } ?? false }

  /// Consumes the next token and returns it.
  mutating func next() -> MinijailToken? {
    defer { index += 1 }
    return current
  }

  /// Consumes the next token if it equals a text, and returns whether it did.
  mutating func take(_ text: String) -> Bool {
    guard current?.text == text else { return false }
    index += 1
    return true
  }

  /// Consumes a required token.
  mutating func expect(_ text: String) throws(InterchangeError) {
    guard take(text) else { throw failure("\"\(text)\"") }
  }

  /// Throws an error unless all tokens are consumed.
  func end() throws(InterchangeError) {
    if current != nil { throw failure("the end of the line") }
  }

  private func failure(_ expected: String) -> InterchangeError {
    let found = current.map { "\"\($0.text)\"" } ?? "the end of the line"
    return InterchangeError(current?.position ?? tokens.last?.position, .expected(expected, found: found))
  }

  /// Reads the calls of a statement. `skipped` contains the calls for other architectures only.
  mutating func calls() throws(InterchangeError) -> (calls: [String], skipped: [String]) {
    var calls: [String] = []
    var skipped: [String] = []
    let isSet = take("{")
    repeat {
      guard let name = next() else { throw failure("the name of a call") }
      if take("["), !(try isNative()) { skipped.append(name.text) } else { calls.append(name.text) }
    } while isSet && take(",")
    if isSet { try expect("}") }
    return (calls, skipped)
  }

  /// Reads a condition in brackets, such as `arch=x86_64,arm`, and returns whether it includes this
  /// architecture.
  private mutating func isNative() throws(InterchangeError) -> Bool {
    var isNative = true
    repeat {
      let key = next()?.text ?? ""
      try expect("=")
      var values: [String] = []
      repeat { values.append(next()?.text ?? "") } while take(",")
      let names = CallArchitecture.native == .x86 ? ["x86_64"] : ["arm64", "aarch64"]
      if key == "arch", !values.contains(where: names.contains) { isNative = false }
    } while take(";")
    try expect("]")
    return isNative
  }

  /// Reads an action, such as `1`, `allow`, `kill` or `return EPERM`.
  mutating func action() throws(InterchangeError) -> Verdict {
    guard let word = next() else { throw failure("an action") }
    switch word.text {
    case "1", "allow": return .allow
    case "kill", "kill-thread": return .killThread
    case "kill-process": return .killProcess
    case "trap": return .trap(0)
    case "trace": return .trace(0)
    case "log": return .log
    case "user-notify": return .notify
    case "return":
      guard current != nil, current?.text != "}", current?.text != "," else { return .killThread }
      // libminijail truncates the number to 16 bits, and the kernel replaces larger numbers with its maximum,
      // 4095.
      return .errno(min(UInt16(truncatingIfNeeded: try value()), 4095))
    default: throw InterchangeError(word.position, .unknownKeyword(word.text, kind: "minijail action"))
    }
  }

  /// Reads an expression: alternatives separated by `||`, each with comparisons separated by `&&`.
  mutating func expression() throws(InterchangeError) -> [[ArgumentComparison]] {
    var alternatives: [[ArgumentComparison]] = []
    repeat {
      var clause: [ArgumentComparison] = []
      repeat { clause.append(try comparison()) } while take("&&")
      alternatives.append(clause)
    } while take("||")
    return alternatives
  }

  /// Reads a comparison. `in` tests that only bits of the value are set.
  private mutating func comparison() throws(InterchangeError) -> ArgumentComparison {
    guard let name = next(), name.text.hasPrefix("arg"), let argument = Int(name.text.dropFirst(3)) else {
      throw failure("an argument such as arg0")
    }
    guard (0...5).contains(argument) else {
      throw InterchangeError(name.position, .invalidArgument(name.text))
    }
    guard let sign = next() else { throw failure("an operator") }
    let value = try value()
    switch sign.text {
    case "==": return ArgumentComparison(argument, .equal, value)
    case "!=": return ArgumentComparison(argument, .notEqual, value)
    case "<": return ArgumentComparison(argument, .less, value)
    case "<=": return ArgumentComparison(argument, .lessOrEqual, value)
    case ">": return ArgumentComparison(argument, .greater, value)
    case ">=": return ArgumentComparison(argument, .greaterOrEqual, value)
    case "&": return ArgumentComparison(argument, .anyBit, value)
    case "in": return ArgumentComparison(argument, .masked(~value), 0)
    default: throw InterchangeError(sign.position, .unknownKeyword(sign.text, kind: "operator"))
    }
  }

  /// Reads a value: constants separated by `|`, optionally negated with `~` or in parentheses.
  private mutating func value() throws(InterchangeError) -> UInt64 {
    var value: UInt64 = 0
    repeat {
      let isInverse = take("~")
      var part: UInt64
      if take("(") {
        part = try self.value()
        try expect(")")
      } else {
        part = try constant()
      }
      if isInverse { part = ~part }
      value |= part
    } while take("|")
    return value
  }

  /// Reads a number in C syntax, or a named constant.
  private mutating func constant() throws(InterchangeError) -> UInt64 {
    guard let word = next() else { throw failure("a number") }
    let isNegative = word.text.hasPrefix("-")
    let digits = isNegative ? word.text.dropFirst() : word.text[...]
    let number: UInt64? =
      if digits.lowercased().hasPrefix("0x") {
        UInt64(digits.dropFirst(2), radix: 16)
      } else if digits.hasPrefix("0"), digits.count > 1 {
        UInt64(digits.dropFirst(), radix: 8)
      } else {
        UInt64(digits)
      }
    if let number { return isNegative ? 0 &- number : number }
    if let named = ConstantTable.value(of: word.text) { return named }
    throw InterchangeError(word.position, .unknownKeyword(word.text, kind: "number or known constant"))
  }
}
