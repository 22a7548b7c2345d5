// SPDX-License-Identifier: Apache-2.0

extension FilterProgram {
  /// Runs the program and returns its verdict for one call.
  package func verdict(for input: SeccompData) -> Verdict {
    Verdict(returnValue: run(input.words))
  }

  /// Returns the kernel's verdict for one call under several programs, the oldest first.
  package static func verdict(ofStack programs: [FilterProgram], for input: SeccompData) -> Verdict {
    let words = input.words
    return programs.reduce(Verdict.allow) { older, program in
      Verdict(returnValue: program.run(words)).combined(withOlder: older)
    }
  }

  /// The state of a running program.
  private struct Machine {
    var accumulator: UInt32 = 0
    /// The index register.
    var index: UInt32 = 0
    /// The scratch memory.
    var slots = [UInt32](repeating: 0, count: FilterInstruction.slotCount)

    /// Returns the value of an operand.
    func value(_ operand: FilterInstruction.Operand) -> UInt32 {
      switch operand {
      case .constant(let value): value
      case .index: index
      }
    }

    /// Stores a value in a register.
    mutating func put(_ value: UInt32, into register: FilterInstruction.Register) {
      switch register {
      case .accumulator: accumulator = value
      case .index: index = value
      }
    }
  }

  /// Returns the value that the program returns for the words of a `struct seccomp_data`.
  private func run(_ words: [UInt32]) -> UInt32 {
    var machine = Machine()
    var counter = 0
    while true {
      let operation = operations[counter]
      counter += 1
      switch operation {
      case .load(let register, .word(let word)): machine.put(words[word], into: register)
      case .load(let register, .constant(let value)): machine.put(value, into: register)
      case .load(let register, .slot(let slot)): machine.put(machine.slots[slot], into: register)
      case .store(.accumulator, let slot): machine.slots[slot] = machine.accumulator
      case .store(.index, let slot): machine.slots[slot] = machine.index
      case .calculate(let calculation, let operand):
        let value = machine.value(operand)
        // The kernel ends a program that divides by zero with the return value 0.
        guard calculation != .divide || value != 0 else { return 0 }
        machine.accumulator = calculation.result(machine.accumulator, value)
      case .negate: machine.accumulator = 0 &- machine.accumulator
      case .copyToIndex: machine.index = machine.accumulator
      case .copyFromIndex: machine.accumulator = machine.index
      case .jump(let distance): counter += Int(distance)
      case .branch(let comparison, let operand):
        let isTrue = comparison.holds(machine.accumulator, machine.value(operand))
        let instruction = instructions[counter - 1]
        counter += Int(isTrue ? instruction.ifTrue : instruction.ifFalse)
      case .finish(.constant(let value)): return value
      case .finish(.accumulator): return machine.accumulator
      }
    }
  }
}

extension FilterInstruction.Calculation {
  /// Returns the result for two values. The second one is not zero for a division. Only five bits of a shift
  /// distance are used.
  func result(_ left: UInt32, _ right: UInt32) -> UInt32 {
    switch self {
    case .add: left &+ right
    case .subtract: left &- right
    case .multiply: left &* right
    case .divide: left / right
    case .and: left & right
    case .or: left | right
    case .xor: left ^ right
    case .shiftLeft: left &<< right
    case .shiftRight: left &>> right
    }
  }
}

extension FilterInstruction.Comparison {
  /// Whether the comparison is true for two values.
  func holds(_ left: UInt32, _ right: UInt32) -> Bool {
    switch self {
    case .equal: left == right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .anyBit: left & right != 0
    }
  }
}
