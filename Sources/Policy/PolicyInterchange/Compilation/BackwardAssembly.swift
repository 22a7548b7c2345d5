// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

/// A classic BPF program that is written from its last instruction to its first.
///
/// Jumps of classic BPF lead forward only, so that the target of a jump is known when the jump is written.
struct BackwardAssembly {
  /// An instruction of the program: the number of instructions from there to the end.
  struct Place: Hashable {
    /// The number of instructions, at least one.
    fileprivate var distance: Int
  }

  /// The parts of `struct seccomp_data` that a program loads.
  enum Field {
    /// The number of the call.
    case number
    /// The architecture, an `AUDIT_ARCH_…`.
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

  /// The tests of the accumulator; the values are the codes with `BPF_JMP | BPF_K`.
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

  /// The instructions, the last one first.
  private var reversed: [FilterInstruction] = []
  /// The last place of each answer.
  private var answers: [Verdict: Place] = [:]

  /// The instructions in the order in which they run.
  var instructions: [FilterInstruction] { reversed.reversed() }

  /// Returns an instruction that ends the program with an answer.
  mutating func finish(_ verdict: Verdict) -> Place {
    // An answer out of reach of a short jump is repeated: that is as long as a jump to it.
    if let place = answers[verdict], reversed.count - place.distance < 128 { return place }
    let place = append(FilterInstruction(code: 0x06, value: verdict.returned))
    answers[verdict] = place
    return place
  }

  /// Loads a word, and continues elsewhere.
  mutating func load(_ field: Field, then next: Place) -> Place {
    fallThrough(to: next)
    return append(FilterInstruction(code: 0x20, value: field.offset))
  }

  /// Clears all other bits of the accumulator, and continues elsewhere.
  mutating func mask(_ bits: UInt32, then next: Place) -> Place {
    fallThrough(to: next)
    return append(FilterInstruction(code: 0x54, value: bits))
  }

  /// Compares the accumulator with a constant, and continues where the result leads.
  mutating func test(_ test: Test, _ value: UInt32, yes: Place, no: Place) -> Place {
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

  /// Returns a place from which a short jump reaches another one, after one more instruction at most.
  private mutating func reachable(_ place: Place) -> Place {
    reversed.count + 1 - place.distance > Int(UInt8.max) ? jump(to: place) : place
  }

  private mutating func fallThrough(to place: Place) {
    if place.distance != reversed.count { _ = jump(to: place) }
  }

  /// The corresponding code is `BPF_JMP | BPF_JA`, whose distance has 32 bits.
  private mutating func jump(to place: Place) -> Place {
    append(FilterInstruction(code: 0x05, value: UInt32(reversed.count - place.distance)))
  }

  private mutating func append(_ instruction: FilterInstruction) -> Place {
    reversed.append(instruction)
    return Place(distance: reversed.count)
  }
}
