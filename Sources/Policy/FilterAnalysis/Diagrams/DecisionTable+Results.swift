// SPDX-License-Identifier: Apache-2.0

extension DecisionTable {
  /// Returns the function whose results are the verdicts for the values of a word.
  ///
  /// Bits are tested from the highest one, and only as far as they change the verdict.
  mutating func verdicts(
    of word: SymbolicWord,
    _ number: (UInt32) -> Int32
  ) throws(AnalysisError) -> Node {
    try verdicts(of: word, Prefix(value: 0, unknownBits: BitOrder.wordBits, calls: Self.universalSet), number)
  }

  /// The highest bits of a value.
  private struct Prefix {
    /// The value, with zeros for unknown bits.
    var value: UInt32
    /// The number of unknown bits.
    var unknownBits: Int
    /// The calls for which the value begins with these bits.
    var calls: Node

    /// Whether the known bits determine the verdict: few actions use the lower half of the value.
    var determinesVerdict: Bool {
      guard unknownBits > 0 else { return true }
      guard unknownBits <= 16 else { return false }
      return switch Verdict(returnValue: value) {
      case .trap, .errno, .trace: false
      case .killProcess, .killThread, .notify, .log, .allow, .unknown: true
      }
    }

    /// Returns the prefix with one more bit.
    func followed(by bit: UInt32, in calls: Node) -> Prefix {
      Prefix(value: value | bit << UInt32(unknownBits - 1), unknownBits: unknownBits - 1, calls: calls)
    }
  }

  private mutating func verdicts(
    of word: SymbolicWord,
    _ prefix: Prefix,
    _ number: (UInt32) -> Int32
  ) throws(AnalysisError) -> Node {
    if prefix.determinesVerdict { return try result(numbered: number(prefix.value)) }
    try step()
    let bit = word.bits[prefix.unknownBits - 1]
    let set = try and(prefix.calls, bit)
    let clear = try ifThenElse(bit, Self.emptySet, prefix.calls)
    if set == Self.emptySet { return try verdicts(of: word, prefix.followed(by: 0, in: clear), number) }
    if clear == Self.emptySet { return try verdicts(of: word, prefix.followed(by: 1, in: set), number) }
    let then = try verdicts(of: word, prefix.followed(by: 1, in: set), number)
    let otherwise = try verdicts(of: word, prefix.followed(by: 0, in: clear), number)
    return try ifThenElse(bit, then, otherwise)
  }
}
