// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import SandboxPolicy

/// A line of a minijail policy, with the size of the program that libminijail compiles from it.
struct MinijailLine {
  /// The name of the call.
  var call: String
  /// The alternatives in which the call is allowed. An empty alternative allows any arguments; without
  /// alternatives the call is refused.
  private var alternatives: [[String]]
  /// The verdict if no alternative matches.
  private var answer: Verdict
  /// The same alternatives with shorter comparisons of whole arguments, or `nil` if no argument can be
  /// compared as a whole.
  private let shorter: [[String]]?

  /// Creates a line from the conditions of each alternative.
  init(_ call: String, allowed alternatives: [[ArgumentComparison]], otherwise answer: Verdict) {
    self.call = call
    self.answer = answer
    self.alternatives =
      alternatives.contains(where: \.isEmpty) ? [[]] : alternatives.map { $0.flatMap(Self.bitComparisons) }
    let shorter = alternatives.map { $0.flatMap { Self.whole(call, $0) ?? Self.bitComparisons($0) } }
    self.shorter = self.alternatives == [[]] || shorter == self.alternatives ? nil : shorter
  }

  /// Returns comparisons of masked bits. Minijail can test that any bit of a set is set, and that only bits
  /// of a set are set.
  private static func bitComparisons(_ condition: ArgumentComparison) -> [String] {
    guard case .masked(let mask) = condition.operation else { return [] }
    let set = (0..<64).map { UInt64(1) << UInt64($0) }.filter { condition.value & $0 != 0 }
    let bits = set.map { "arg\(condition.index) & 0x\(String($0, radix: 16))" }
    let clear = mask & ~condition.value
    return bits + (clear == 0 ? [] : ["arg\(condition.index) in 0x\(String(~clear, radix: 16))"])
  }

  /// Returns a comparison of all 64 bits instead of the lower half.
  ///
  /// - Returns: The comparison, or `nil` if the kernel reads more than 32 bits, or if a negative number may
  ///   have all upper bits set.
  private static func whole(_ call: String, _ condition: ArgumentComparison) -> [String]? {
    guard condition.operation == .masked(0xFFFF_FFFF), condition.value >> 31 == 0,
      KernelWidths.isNarrow(call, condition.index)
    else { return nil }
    return ["arg\(condition.index) == 0x\(String(condition.value, radix: 16))"]
  }

  /// The number of instructions that the shorter form saves.
  var savedInstructions: Int { shorter.map { Self.instructions(alternatives) - Self.instructions($0) } ?? 0 }

  /// Switches to the shorter form, if there is one.
  mutating func shorten() { if let shorter { alternatives = shorter } }

  /// The number of instructions that libminijail compiles the line to.
  var instructions: Int {
    switch alternatives {
    case []: 4
    case [[]]: 2
    default: Self.instructions(alternatives)
    }
  }

  /// Returns the number of instructions of an expression: a jump to it, its label, its comparisons and its
  /// two verdicts.
  private static func instructions(_ alternatives: [[String]]) -> Int {
    // A comparison loads and compares both halves of an argument and jumps. Comparisons for order can need
    // one more instruction.
    alternatives.reduce(6) { $0 + $1.count * 8 + 2 }
  }

  /// The number of labels that libminijail needs for the line.
  var labels: Int {
    switch alternatives {
    case []: 1
    case [[]]: 0
    default: alternatives.count + 2
    }
  }

  /// The text of the line.
  var text: String {
    guard alternatives != [[]] else { return "\(call): 1" }
    let refusal =
      if case .errno(let number) = answer { "return \(ErrorNames.name(of: number))" } else { "return" }
    guard !alternatives.isEmpty else { return "\(call): \(refusal)" }
    return
      "\(call): \(alternatives.map { $0.joined(separator: " && ") }.joined(separator: " || ")); \(refusal)"
  }
}
