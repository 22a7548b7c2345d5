// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import SystemCalls

/// An instruction as text.
struct InstructionText {
  private let program: FilterProgram
  private let index: Int
  private let state: DataflowState

  /// Creates the text of an instruction from the state before it.
  init(_ program: FilterProgram, _ index: Int, _ state: DataflowState) {
    self.program = program
    self.index = index
    self.state = state
  }

  /// The targets of a branch or jump; empty for other instructions.
  var targets: [Int] {
    switch program.operations[index] {
    case .jump, .branch: program.successors(of: index)
    default: []
    }
  }

  /// The verdict of a return instruction with a constant.
  var verdict: Verdict? {
    guard case .finish(.constant(let value)) = program.operations[index] else { return nil }
    return Verdict(returnValue: value)
  }

  /// The instruction as text.
  var text: String {
    switch program.operations[index] {
    case .load(let register, let source): "\(register.name) = \(text(source))"
    case .store(let register, let slot): "M[\(slot)] = \(register.name)"
    case .calculate(let calculation, let operand): "A \(calculation.sign)= \(text(operand, calculation))"
    case .negate: "A = -A"
    case .copyToIndex: "X = A"
    case .copyFromIndex: "A = X"
    case .jump: "goto \(Self.paddedIndex(targets[0]))"
    case .branch(let comparison, let operand): branch(comparison, operand)
    case .finish(.constant(let value)): "return \(VerdictText.text(Verdict(returnValue: value)))"
    case .finish(.accumulator): "return A"
    }
  }

  /// Returns the index of an instruction with at least four digits.
  static func paddedIndex(_ index: Int) -> String {
    let digits = String(index)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private func text(_ source: FilterInstruction.Source) -> String {
    switch source {
    case .word(let word): Self.name(ofWord: word) + parameter(word)
    case .constant(let value): NumberText.plain(UInt64(value))
    case .slot(let slot): "M[\(slot)]"
    }
  }

  /// Returns the name of a word of `struct seccomp_data`.
  private static func name(ofWord word: Int) -> String {
    switch word {
    case 0: return "nr"
    case 1: return "arch"
    default:
      let field = word < 4 ? "instruction_pointer" : "args[\((word - 4) / 2)]"
      return field + (word % 2 == 0 ? ".low" : ".high")
    }
  }

  /// Returns the parameter of a word if the call is known, such as ` (domain of socket)`.
  private func parameter(_ word: Int) -> String {
    guard word >= 4, let calls = state.calls, let first = calls.first,
      let architecture = architecture, calls.count == 1,
      let parameter = CallSignature.of(first, on: architecture)?.parameters.dropFirst((word - 4) / 2).first
    else { return "" }
    return " (\(parameter.name) of \(first))"
  }

  private var architecture: CallArchitecture? {
    state.architecture.flatMap {
      CallArchitecture.of(auditArchitecture: $0, number: state.numbers?.first ?? 0)
    }
  }

  private func text(
    _ operand: FilterInstruction.Operand,
    _ calculation: FilterInstruction.Calculation
  ) -> String {
    switch operand {
    case .index: return "X"
    case .constant(let value):
      guard calculation == .and else { return NumberText.plain(UInt64(value)) }
      return named(value, state.accumulator)
    }
  }

  /// Returns a comparison, with the jump that does not lead to the next instruction.
  private func branch(_ comparison: FilterInstruction.Comparison, _ operand: FilterInstruction.Operand)
    -> String
  {
    let value: String
    switch operand {
    case .index: value = "X"
    case .constant(let constant): value = named(constant, state.accumulator)
    }
    let (yes, no) = (targets[0], targets[1])
    if yes == no { return "goto \(Self.paddedIndex(yes))" }
    if no == index + 1 { return "if \(comparison.text(value)) goto \(Self.paddedIndex(yes))" }
    if yes == index + 1 { return "if \(comparison.negated(value)) goto \(Self.paddedIndex(no))" }
    return "if \(comparison.text(value)) goto \(Self.paddedIndex(yes)) else goto \(Self.paddedIndex(no))"
  }

  /// Returns a constant, with its name if it is compared with a known value.
  private func named(_ value: UInt32, _ content: DataflowState.Content) -> String {
    let plain = NumberText.plain(UInt64(value))
    let name: String? =
      switch content {
      case .word(0): number(value)
      case .word(1): CallArchitecture.of(auditArchitecture: value, number: 0)?.rawValue
      case .word(let word), .masked(let word, _): argument(word, value)
      case .unknown: nil
      }
    guard let name, name != plain else {
      return content == .word(1) ? NumberText.hexadecimal(UInt64(value)) : plain
    }
    return "\(name) (\(plain))"
  }

  /// Returns the name of a call number if the architecture is known.
  private func number(_ value: UInt32) -> String? {
    if value == CallArchitecture.x32Bit { return CallArchitecture.x32.rawValue }
    return state.architecture.flatMap { CallName.call(value, on: $0) }
  }

  /// Returns the name of an argument's value if it is the same for all possible calls.
  private func argument(_ word: Int, _ value: UInt32) -> String? {
    guard word >= 4, word % 2 == 0, let architecture, let calls = state.calls else { return nil }
    let texts = Set(
      calls.map { CallText.renderArgument($0, (word - 4) / 2, UInt64(value), on: architecture) }
    )
    return texts.count == 1 ? texts.first : nil
  }
}

extension FilterInstruction.Register {
  /// The name in the kernel documentation.
  fileprivate var name: String { self == .accumulator ? "A" : "X" }
}

extension FilterInstruction.Calculation {
  /// The operator in C.
  fileprivate var sign: String {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .and: "&"
    case .or: "|"
    case .xor: "^"
    case .shiftLeft: "<<"
    case .shiftRight: ">>"
    }
  }
}

extension FilterInstruction.Comparison {
  /// Returns the comparison as text.
  fileprivate func text(_ value: String) -> String {
    switch self {
    case .equal: "A == \(value)"
    case .greater: "A > \(value)"
    case .greaterOrEqual: "A >= \(value)"
    case .anyBit: "A & \(value)"
    }
  }

  /// Returns the negated comparison as text.
  fileprivate func negated(_ value: String) -> String {
    switch self {
    case .equal: "A != \(value)"
    case .greater: "A <= \(value)"
    case .greaterOrEqual: "A < \(value)"
    case .anyBit: "!(A & \(value))"
    }
  }
}
