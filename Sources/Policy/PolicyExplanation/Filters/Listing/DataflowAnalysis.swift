// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

/// A forward dataflow analysis of a program. BPF programs have no loops, so one pass in order covers every
/// path.
enum DataflowAnalysis {
  /// Returns the state before each instruction, or `nil` for unreachable instructions.
  static func inputStates(_ program: FilterProgram) -> [DataflowState?] {
    var before = [DataflowState?](repeating: nil, count: program.operations.count)
    before[0] = DataflowState()
    for index in program.operations.indices {
      guard let state = before[index] else { continue }
      let successors = program.successors(of: index)
      for (place, target) in successors.enumerated() {
        guard let after = after(program.operations[index], state, isTrue: place == 0) else { continue }
        before[target] = before[target]?.joined(with: after) ?? after
      }
    }
    return before
  }

  /// Returns the state after an instruction, or `nil` if the program cannot continue on this path.
  private static func after(
    _ operation: FilterInstruction.Operation,
    _ before: DataflowState,
    isTrue: Bool
  ) -> DataflowState? {
    var after = before
    switch operation {
    case .load(let register, let source):
      let content: DataflowState.Content =
        switch source {
        case .word(let word): .word(word)
        case .slot(let slot): before.slots[slot]
        case .constant: .unknown
        }
      if register == .accumulator { after.accumulator = content } else { after.index = content }
    case .store(let register, let slot):
      after.slots[slot] = register == .accumulator ? before.accumulator : before.index
    case .calculate(.and, .constant(let mask)):
      if case .word(let word) = before.accumulator {
        after.accumulator = .masked(word, mask)
      } else {
        after.accumulator = .unknown
      }
    case .calculate, .negate: after.accumulator = .unknown
    case .copyToIndex: after.index = before.accumulator
    case .copyFromIndex: after.accumulator = before.index
    case .branch(let comparison, .constant(let value)):
      return before.after(comparison, value, isTrue: isTrue)
    case .branch, .jump, .finish: break
    }
    return after
  }
}
