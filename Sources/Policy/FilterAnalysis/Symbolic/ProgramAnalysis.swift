// SPDX-License-Identifier: Apache-2.0

/// Follows a program for all calls at once, and says what it returns for each.
///
/// First it goes forward and notes with which contents of the registers each instruction can be reached; then, from the
/// last instruction back, it makes the function of each of them out of those of its successors. A program has no loops,
/// so both ways are finished after one pass.
struct ProgramAnalysis {
  /// How many contents of the registers are followed, over all instructions.
  private static let stateLimit = 1 << 17

  /// The program.
  private let program: FilterProgram
  /// What matters in front of each instruction.
  private let liveness: Liveness
  /// The number of a returned value's result.
  private let number: (UInt32) -> Int32
  /// The steps to take, by instruction and state.
  private var steps: [[Step]]
  /// The places of the states among the steps of their instruction.
  private var known: [[SymbolicState: Int]]
  /// The words that were loaded, each made once.
  private var words: [Int: SymbolicWord] = [:]
  /// How many states there are.
  private var count = 0

  /// A step, by its instruction and its place among the steps of that instruction.
  private struct Target {
    var instruction: Int
    var place: Int
  }

  /// What an instruction does in one state.
  private enum Step {
    /// The way goes on in one direction.
    case next(Target)
    /// Where the set holds it goes on to one step, and else to another.
    case either(Node, then: Target, otherwise: Target)
    /// Where the set holds the program ends with zero, because it divides by zero there.
    case unlessZero(Node, otherwise: Target)
    /// The program ends with a value.
    case finish(SymbolicWord)
    /// Not looked at yet.
    case open(SymbolicState)
  }

  /// Prepares for a program; `number` gives the results their numbers.
  init(_ program: FilterProgram, number: @escaping (UInt32) -> Int32) {
    self.program = program
    self.number = number
    liveness = Liveness(program)
    steps = Array(repeating: [], count: program.operations.count)
    known = Array(repeating: [:], count: program.operations.count)
  }

  /// The function of the whole program.
  mutating func result(in table: inout DecisionTable) throws(AnalysisError) -> Node {
    _ = try target(0, .beginning)
    for instruction in steps.indices {
      var place = 0
      // Steps of an instruction lead to later ones only.
      while place < steps[instruction].count {
        if case .open(let state) = steps[instruction][place] {
          steps[instruction][place] = try step(instruction, state, in: &table)
        }
        place += 1
      }
    }
    return try goBack(in: &table)
  }

  /// The step of an instruction in a state.
  private mutating func target(_ instruction: Int, _ state: SymbolicState) throws(AnalysisError) -> Target {
    let state = state.reduced(to: liveness.places[instruction])
    if let place = known[instruction][state] { return Target(instruction: instruction, place: place) }
    count += 1
    guard count <= Self.stateLimit else { throw .tooManyStates(limit: Self.stateLimit) }
    let place = steps[instruction].count
    steps[instruction].append(.open(state))
    known[instruction][state] = place
    return Target(instruction: instruction, place: place)
  }

  /// What an instruction does in a state.
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
      if set == DecisionTable.yes { return .next(try target(successors[0], next)) }
      if set == DecisionTable.no { return .next(try target(successors[1], next)) }
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

  /// What is loaded.
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

  /// Makes the functions, from the last instruction to the first.
  private func goBack(in table: inout DecisionTable) throws(AnalysisError) -> Node {
    var results: [[Node]] = steps.map { [Node](repeating: DecisionTable.no, count: $0.count) }
    for instruction in steps.indices.reversed() {
      for place in steps[instruction].indices {
        func result(_ target: Target) -> Node { results[target.instruction][target.place] }
        switch steps[instruction][place] {
        case .next(let target): results[instruction][place] = result(target)
        case .either(let set, let then, let otherwise):
          results[instruction][place] = try table.choose(set, result(then), result(otherwise))
        case .unlessZero(let zero, let otherwise):
          let end = try table.result(numbered: number(0))
          results[instruction][place] = try table.choose(zero, end, result(otherwise))
        case .finish(let word):
          results[instruction][place] = try table.verdicts(of: word, number)
        case .open: preconditionFailure("every step was looked at")
        }
      }
    }
    return results[0][0]
  }
}
