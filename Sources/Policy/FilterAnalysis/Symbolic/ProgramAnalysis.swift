// SPDX-License-Identifier: Apache-2.0

/// A symbolic execution of a program for all calls at once.
///
/// The forward pass collects the register contents with which each instruction can be reached. The backward
/// pass builds the function of each instruction from those of its successors. Programs have no loops, so one
/// pass in each direction is enough.
struct ProgramAnalysis {
  /// The maximum number of states, over all instructions.
  private static let stateLimit = 1 << 17

  private let program: FilterProgram
  /// The live registers and slots before each instruction.
  private let liveness: Liveness
  /// Returns the result number of a return value.
  private let number: (UInt32) -> Int32
  /// The steps, by instruction and state.
  private var steps: [[Step]]
  /// The indices of the states among the steps of their instruction.
  private var stepIndexes: [[SymbolicState: Int]]
  /// A cache of the loaded words.
  private var words: [Int: SymbolicWord] = [:]
  /// The number of states.
  private var count = 0

  /// A step, by its instruction and its index among the steps of that instruction.
  private struct Target {
    var instruction: Int
    var index: Int
  }

  /// The effect of an instruction in one state.
  private enum Step {
    /// Execution continues with one step.
    case next(Target)
    /// Execution continues with one step for the calls in the set, and with another one for all others.
    case either(Node, then: Target, otherwise: Target)
    /// The program returns zero for the calls in the set, because the divisor is zero.
    case unlessZero(Node, otherwise: Target)
    /// The program returns a value.
    case finish(SymbolicWord)
    /// The step is not analyzed yet.
    case pending(SymbolicState)
  }

  /// Creates an analysis of a program. `number` returns the result number of a return value.
  init(_ program: FilterProgram, number: @escaping (UInt32) -> Int32) {
    self.program = program
    self.number = number
    liveness = Liveness(program)
    steps = Array(repeating: [], count: program.operations.count)
    stepIndexes = Array(repeating: [:], count: program.operations.count)
  }

  /// Returns the function of the whole program.
  mutating func result(in table: inout DecisionTable) throws(AnalysisError) -> Node {
    _ = try target(0, .initial)
    for instruction in steps.indices {
      var index = 0
      // Steps of an instruction only lead to later instructions.
      while index < steps[instruction].count {
        if case .pending(let state) = steps[instruction][index] {
          steps[instruction][index] = try step(instruction, state, in: &table)
        }
        index += 1
      }
    }
    return try evaluateBackward(in: &table)
  }

  /// Returns the step of an instruction in a state, which is created if it does not exist.
  private mutating func target(_ instruction: Int, _ state: SymbolicState) throws(AnalysisError) -> Target {
    let state = state.reduced(to: liveness.liveLocations[instruction])
    if let index = stepIndexes[instruction][state] { return Target(instruction: instruction, index: index) }
    count += 1
    guard count <= Self.stateLimit else { throw .tooManyStates(limit: Self.stateLimit) }
    let index = steps[instruction].count
    steps[instruction].append(.pending(state))
    stepIndexes[instruction][state] = index
    return Target(instruction: instruction, index: index)
  }

  /// Returns the effect of an instruction in a state.
  private mutating func step(
    _ instruction: Int,
    _ state: SymbolicState,
    in table: inout DecisionTable
  ) throws(AnalysisError) -> Step {
    var next = state
    switch program.operations[instruction] {
    case .finish(.constant(let value)): return .finish(SymbolicWord(value))
    case .finish(.accumulator): return .finish(state.content(.accumulator))
    case .jump(let distance): return .next(try target(instruction + 1 + Int(distance), next))
    case .branch(let comparison, let operand):
      let set = try table.compare(comparison, state.content(.accumulator), state.value(operand))
      let successors = program.successors(of: instruction)
      if set == DecisionTable.universalSet { return .next(try target(successors[0], next)) }
      if set == DecisionTable.emptySet { return .next(try target(successors[1], next)) }
      let then = try target(successors[0], next)
      return .either(set, then: then, otherwise: try target(successors[1], next))
    case .load(let register, let source): next.put(try value(source, state, in: &table), into: register)
    case .store(let register, let slot): next.slots[slot] = state.content(register)
    case .copyToIndex: next.index = state.content(.accumulator)
    case .copyFromIndex: next.accumulator = state.content(.index)
    case .negate:
      next.accumulator = try table.calculate(.subtract, SymbolicWord(0), state.content(.accumulator))
    case .calculate(let calculation, let operand):
      let value = state.value(operand)
      next.accumulator = try table.calculate(calculation, state.content(.accumulator), value)
      guard calculation == .divide else { break }
      let zero = try table.equal(value, SymbolicWord(0))
      return .unlessZero(zero, otherwise: try target(instruction + 1, next))
    }
    return .next(try target(instruction + 1, next))
  }

  /// Returns a loaded value.
  private mutating func value(
    _ source: FilterInstruction.Source,
    _ state: SymbolicState,
    in table: inout DecisionTable
  ) throws(AnalysisError) -> SymbolicWord {
    switch source {
    case .constant(let value): return SymbolicWord(value)
    case .slot(let slot): return state.slots[slot] ?? SymbolicWord(0)
    case .word(let index):
      if let word = words[index] { return word }
      let word = try table.word(index)
      words[index] = word
      return word
    }
  }

  /// Builds the functions from the last instruction to the first, and returns that of the first.
  private func evaluateBackward(in table: inout DecisionTable) throws(AnalysisError) -> Node {
    var results: [[Node]] = steps.map { [Node](repeating: DecisionTable.emptySet, count: $0.count) }
    for instruction in steps.indices.reversed() {
      for index in steps[instruction].indices {
        func result(_ target: Target) -> Node { results[target.instruction][target.index] }
        switch steps[instruction][index] {
        case .next(let target): results[instruction][index] = result(target)
        case .either(let set, let then, let otherwise):
          results[instruction][index] = try table.ifThenElse(set, result(then), result(otherwise))
        case .unlessZero(let zero, let otherwise):
          let end = try table.result(numbered: number(0))
          results[instruction][index] = try table.ifThenElse(zero, end, result(otherwise))
        case .finish(let word):
          results[instruction][index] = try table.verdicts(of: word, number)
        case .pending: preconditionFailure("every step was analyzed")
        }
      }
    }
    return results[0][0]
  }
}
