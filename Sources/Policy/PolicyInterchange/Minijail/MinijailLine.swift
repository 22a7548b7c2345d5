// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import SandboxPolicy

/// A line of a minijail policy, with the size of the program that libminijail makes of it.
struct MinijailLine {
  /// The call.
  var call: String
  /// The ways in which the call is allowed; one without comparisons allows any arguments, none allows nothing.
  private var ways: [[String]]
  /// The answer where no way allows the call.
  private var answer: Verdict
  /// The same ways with comparisons of whole arguments, which are shorter; `nil` where none can be compared as a whole.
  private let shorter: [[String]]?

  /// Creates a line of the conditions of each way.
  init(_ call: String, allowed ways: [[ArgumentComparison]], otherwise answer: Verdict) {
    self.call = call
    self.answer = answer
    self.ways = ways.contains(where: \.isEmpty) ? [[]] : ways.map { $0.flatMap(Self.exact) }
    let shorter = ways.map { $0.flatMap { Self.whole(call, $0) ?? Self.exact($0) } }
    self.shorter = self.ways == [[]] || shorter == self.ways ? nil : shorter
  }

  /// A comparison of some bits: minijail can ask that one bit is set, and that no bits but some are.
  private static func exact(_ condition: ArgumentComparison) -> [String] {
    guard case .masked(let mask) = condition.operation else { return [] }
    let set = (0..<64).map { UInt64(1) << UInt64($0) }.filter { condition.value & $0 != 0 }
    let bits = set.map { "arg\(condition.index) & 0x\(String($0, radix: 16))" }
    let clear = mask & ~condition.value
    return bits + (clear == 0 ? [] : ["arg\(condition.index) in 0x\(String(~clear, radix: 16))"])
  }

  /// A comparison of all 64 bits in place of the lower half, where the kernel reads no more; `nil` where it does, or where a
  /// negative number may have all bits of the upper half set.
  private static func whole(_ call: String, _ condition: ArgumentComparison) -> [String]? {
    guard condition.operation == .masked(0xFFFF_FFFF), condition.value >> 31 == 0,
      KernelWidths.isNarrow(call, condition.index)
    else { return nil }
    return ["arg\(condition.index) == 0x\(String(condition.value, radix: 16))"]
  }

  /// The number of instructions that the shorter form saves.
  var saving: Int { shorter.map { Self.instructions(ways) - Self.instructions($0) } ?? 0 }

  /// Takes the shorter form.
  mutating func shorten() { if let shorter { ways = shorter } }

  /// The number of instructions to which libminijail compiles the line.
  var instructions: Int {
    switch ways {
    case []: 4
    case [[]]: 2
    default: Self.instructions(ways)
    }
  }

  /// The number of instructions of an expression: a jump to it, its label, its comparisons, and its two answers.
  private static func instructions(_ ways: [[String]]) -> Int {
    // A comparison loads both halves of an argument, compares both, and jumps; those of order can take one more.
    ways.reduce(6) { $0 + $1.count * 8 + 2 }
  }

  /// The number of labels that libminijail needs for the line.
  var labels: Int {
    switch ways {
    case []: 1
    case [[]]: 0
    default: ways.count + 2
    }
  }

  /// The line.
  var text: String {
    guard ways != [[]] else { return "\(call): 1" }
    let refusal =
      if case .errno(let number) = answer { "return \(ErrorNames.name(of: number))" } else { "return" }
    guard !ways.isEmpty else { return "\(call): \(refusal)" }
    return "\(call): \(ways.map { $0.joined(separator: " && ") }.joined(separator: " || ")); \(refusal)"
  }
}
