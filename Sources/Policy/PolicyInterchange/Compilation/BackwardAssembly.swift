// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

/// A classic BPF program that is emitted from its last instruction to its first.
///
/// Jumps in classic BPF lead only forward, so the target of each jump is known when the jump is emitted.
struct BackwardAssembly {
  /// A jump target: the number of instructions from the target to the end of the program.
  struct Label: Hashable {
    /// The number of instructions, at least one.
    fileprivate var distance: Int
  }

  /// A 32-bit word of `struct seccomp_data` that a program loads.
  enum Field {
    /// The system call number.
    case number
    /// The architecture, an `AUDIT_ARCH_…` value.
    case architecture
    /// The lower half of an argument.
    case lower(Int)
    /// The upper half of an argument.
    case upper(Int)

    fileprivate var offset: UInt32 {
      switch self {
      case .number: 0
      case .architecture: 4
      case .lower(let index): 16 + 8 * UInt32(index)
      case .upper(let index): 20 + 8 * UInt32(index)
      }
    }
  }

  /// A test of the accumulator. The raw values are instruction codes with `BPF_JMP | BPF_K`.
  enum Test: UInt16 {
    /// The corresponding code is `BPF_JEQ`.
    case equal = 0x15
    /// The corresponding code is `BPF_JGT`.
    case greater = 0x25
    /// The corresponding code is `BPF_JGE`.
    case greaterOrEqual = 0x35
    /// The corresponding code is `BPF_JSET`.
    case anyBit = 0x45
  }

  /// The instructions in reverse order.
  private var reversed: [FilterInstruction] = []
  /// The most recent return instruction of each verdict.
  private var answers: [Verdict: Label] = [:]

  /// The instructions in the order of execution.
  var instructions: [FilterInstruction] { reversed.reversed() }

  /// Returns an instruction that terminates the program with a verdict.
  mutating func finish(_ verdict: Verdict) -> Label {
    // A return instruction out of range of a short jump is emitted again, which costs as much as a long jump.
    if let location = answers[verdict], reversed.count - location.distance < 128 { return location }
    let location = append(FilterInstruction(code: 0x06, value: verdict.returnValue))
    answers[verdict] = location
    return location
  }

  /// Emits a load of a word, followed by another instruction.
  mutating func load(_ field: Field, then next: Label) -> Label {
    fallThrough(to: next)
    return append(FilterInstruction(code: 0x20, value: field.offset))
  }

  /// Emits an AND of the accumulator with a mask, followed by another instruction.
  mutating func mask(_ bits: UInt32, then next: Label) -> Label {
    fallThrough(to: next)
    return append(FilterInstruction(code: 0x54, value: bits))
  }

  /// Emits a comparison of the accumulator with a constant.
  mutating func test(_ test: Test, _ value: UInt32, yes: Label, no: Label) -> Label {
    guard yes != no else { return yes }
    let (yes, no) = (reachable(yes), reachable(no))
    let (ifTrue, ifFalse) = (reversed.count - yes.distance, reversed.count - no.distance)
    return append(
      FilterInstruction(
        code: test.rawValue,
        ifTrue: UInt8(ifTrue),
        ifFalse: UInt8(ifFalse),
        value: value
      )
    )
  }

  /// Returns a target within range of a short jump, after at most one more instruction.
  private mutating func reachable(_ location: Label) -> Label {
    reversed.count + 1 - location.distance > Int(UInt8.max) ? jump(to: location) : location
  }

  private mutating func fallThrough(to location: Label) {
    if location.distance != reversed.count { _ = jump(to: location) }
  }

  /// Emits an unconditional jump (`BPF_JMP | BPF_JA`), which has a 32-bit offset.
  private mutating func jump(to location: Label) -> Label {
    append(FilterInstruction(code: 0x05, value: UInt32(reversed.count - location.distance)))
  }

  private mutating func append(_ instruction: FilterInstruction) -> Label {
    reversed.append(instruction)
    return Label(distance: reversed.count)
  }
}
