// SPDX-License-Identifier: Apache-2.0

extension DecisionTable {
  /// Returns the function whose results are the verdicts for the values of a word.
  ///
  /// Bits are tested from the highest one, and only as far as they change the verdict.
  mutating func verdicts(
    of word: SymbolicWord,
    _ number: (UInt32) -> Int32
  ) throws(AnalysisError) -> Node {
    try verdicts(of: word, Prefix(value: 0, left: BitOrder.wordBits, calls: Self.yes), number)
  }

  /// The highest bits of a value.
  private struct Prefix {
    /// The value, with zeros for unknown bits.
    var value: UInt32
    /// The number of unknown bits.
    var left: Int
    /// The calls for which the value begins with these bits.
    var calls: Node

    /// Whether the known bits determine the verdict: few actions use the lower half of the value.
    var decides: Bool {
      guard left > 0 else { return true }
      guard left <= 16 else { return false }
      return switch Verdict(returned: value) {
      case .trap, .errno, .trace: false
      case .killProcess, .killThread, .notify, .log, .allow, .unknown: true
      }
    }

    /// Returns the prefix with one more bit.
    func followed(by bit: UInt32, in calls: Node) -> Prefix {
      Prefix(value: value | bit << UInt32(left - 1), left: left - 1, calls: calls)
    }
  }

  private mutating func verdicts(
    of word: SymbolicWord,
    _ prefix: Prefix,
    _ number: (UInt32) -> Int32
  ) throws(AnalysisError) -> Node {
    if prefix.decides { return try result(numbered: number(prefix.value)) }
    try step()
    let bit = word.bits[prefix.left - 1]
    let set = try and(prefix.calls, bit)
    let clear = try choose(bit, Self.no, prefix.calls)
    if set == Self.no { return try verdicts(of: word, prefix.followed(by: 0, in: clear), number) }
    if clear == Self.no { return try verdicts(of: word, prefix.followed(by: 1, in: set), number) }
    let then = try verdicts(of: word, prefix.followed(by: 1, in: set), number)
    let otherwise = try verdicts(of: word, prefix.followed(by: 0, in: clear), number)
    return try choose(bit, then, otherwise)
  }
}
