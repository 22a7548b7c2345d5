// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension PolicyReader {
  /// One condition on an argument.
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

  /// Which argument.
  private mutating func argumentIndex(_ node: JSONNode, _ keyPath: String) -> Int? {
    guard case .integer(let index) = node.kind else {
      reportKind(.integer, node, keyPath)
      return nil
    }
    guard (0...5).contains(index) else {
      report(.argumentIndex(index), in: node, keyPath)
      return nil
    }
    return Int(index)
  }

  /// A 32-bit value: an integer, or numbers and constants joined by `|`.
  private mutating func bits(_ node: JSONNode, _ keyPath: String) -> UInt32? {
    switch node.kind {
    case .integer(let number):
      if let value = UInt32(exactly: number) { return value }
      report(.valueTooWide(String(number)), in: node, keyPath)
    case .string(let text):
      var value: UInt32 = 0
      for word in text.split(separator: "|", omittingEmptySubsequences: false) {
        let word = String(word.filter { $0 != " " })
        guard let part = term(word, node, keyPath) else { return nil }
        value |= part
      }
      return value
    default:
      reportKind(.value, node, keyPath)
    }
    return nil
  }

  /// A hexadecimal number (`0x…`), an octal one (`0o…`), a decimal one or a constant.
  private mutating func term(_ word: String, _ node: JSONNode, _ keyPath: String) -> UInt32? {
    let radixes: [(prefix: String, radix: Int)] = [("0x", 16), ("0o", 8)]
    let (prefix, radix) = radixes.first { word.hasPrefix($0.prefix) } ?? ("", 10)
    let digits = word.dropFirst(prefix.count)
    if !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.hexDigitValue ?? 99) < radix }) {
      if let value = UInt32(digits, radix: radix) { return value }
      report(.valueTooWide(word), in: node, keyPath)
      return nil
    }
    if let value = SymbolicConstant.value(of: word) { return value }
    let suggestion = Suggestion.nearest(to: word, among: SymbolicConstant.values.keys)
    report(.unknownConstant(word, suggestion: suggestion), in: node, keyPath)
    return nil
  }
}
