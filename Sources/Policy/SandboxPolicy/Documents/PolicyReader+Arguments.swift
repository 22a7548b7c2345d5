// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SystemCalls

extension PolicyReader {
  /// Returns a condition on an argument, or `nil` after reporting a mistake.
  mutating func condition(_ node: JSONNode, _ keyPath: String) -> ArgumentCondition? {
    guard let members = members(node, keyPath, as: PolicyKeys.Argument.self) else { return nil }
    for key in [PolicyKeys.Argument.index, .equals] where members[key] == nil {
      report(.missingKey(key.rawValue), in: node, keyPath)
    }
    let index = members[.index].flatMap { argumentIndex($0, "\(keyPath).index") }
    let value = members[.equals].flatMap { bits($0, "\(keyPath).equals") }
    let mask = members[.mask].map { bits($0, "\(keyPath).mask") } ?? .some(.max)
    guard let index, let value, let mask else { return nil }
    guard value & ~mask == 0 else {
      report(.valueOutsideMask(value: value, mask: mask), in: node, keyPath)
      return nil
    }
    return ArgumentCondition(index: index, mask: mask, value: value)
  }

  private mutating func argumentIndex(_ node: JSONNode, _ keyPath: String) -> Int? {
    guard case .integer(let index) = node.kind else {
      reportWrongKind(.integer, node, keyPath)
      return nil
    }
    guard (0...5).contains(index) else {
      report(.argumentIndex(index), in: node, keyPath)
      return nil
    }
    return Int(index)
  }

  /// Returns a 32-bit value: an integer, or numbers and constants joined by `|`.
  private mutating func bits(_ node: JSONNode, _ keyPath: String) -> UInt32? {
    switch node.kind {
    case .integer(let number):
      if let value = UInt32(exactly: number) { return value }
      report(.valueTooWide(String(number)), in: node, keyPath)
    case .string(let text):
      var value: UInt32 = 0
      for word in text.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false) {
        guard let part = term(word.filter { $0 != UInt8(ascii: " ") }, node, keyPath) else { return nil }
        value |= part
      }
      return value
    default:
      reportWrongKind(.value, node, keyPath)
    }
    return nil
  }

  /// A lexical class of a term.
  private enum Term {
    case number(UInt32)
    /// A number of more than 32 bits.
    case tooWide
    /// Anything other than a number.
    case name
  }

  /// Returns the value of a hexadecimal (`0x…`), octal (`0o…`) or decimal number, or of a constant.
  private mutating func term(_ word: [UInt8], _ node: JSONNode, _ keyPath: String) -> UInt32? {
    let kind = Self.kind(word)
    if case .number(let value) = kind { return value }
    let word = String(decoding: word, as: UTF8.self)
    if case .tooWide = kind {
      report(.valueTooWide(word), in: node, keyPath)
      return nil
    }
    if let value = ConstantTable.narrowValue(of: word) { return value }
    if ConstantTable.value(of: word) != nil {
      report(.valueTooWide(word), in: node, keyPath)
      return nil
    }
    let suggestion = SpellingSuggestion.nearest(to: word, among: ConstantTable.names)
    report(.unknownConstant(word, suggestion: suggestion), in: node, keyPath)
    return nil
  }

  private static func kind(_ word: [UInt8]) -> Term {
    var (digits, radix) = (word[...], UInt64(10))
    if word.starts(with: "0x".utf8) { (digits, radix) = (word.dropFirst(2), 16) }
    if word.starts(with: "0o".utf8) { (digits, radix) = (word.dropFirst(2), 8) }
    var (value, isTooWide) = (UInt64(0), false)
    for byte in digits {
      guard let digit = digit(byte), digit < radix else { return .name }
      value = value * radix + digit
      if value > UInt32.max { (value, isTooWide) = (0, true) }
    }
    if digits.isEmpty { return .name }
    return isTooWide ? .tooWide : .number(UInt32(value))
  }

  /// Returns the value of a decimal or hexadecimal digit, or `nil` if the byte is not a digit.
  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
