// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis

/// A disassembled filter with an annotation for each instruction.
package struct FilterListing: Sendable {
  /// An instruction with its annotation.
  package struct Line: Sendable, Hashable {
    /// The index of the instruction.
    package var index: Int
    package var instruction: FilterInstruction
    /// The operation as text, with symbolic names.
    package var text: String
    /// The targets of a branch or jump; empty for other instructions.
    package var targets: [Int]
    /// The calls that can reach the instruction, or `nil` if there are too many.
    package var calls: [String]?
    /// The constant verdict of a return instruction; `nil` for other instructions and for calculated
    /// verdicts.
    package var verdict: Verdict?
    /// Whether no call can reach the instruction.
    package var isUnreachable: Bool
  }

  /// The instructions.
  package let lines: [Line]

  /// Creates the listing of a program.
  package init(_ program: FilterProgram) {
    let state = DataflowAnalysis.inputStates(program)
    lines = program.operations.indices.map { index in
      let before = state[index]
      let text = InstructionText(program, index, before ?? DataflowState())
      return Line(
        index: index,
        instruction: program.instructions[index],
        text: text.text,
        targets: text.targets,
        calls: before?.calls,
        verdict: text.verdict,
        isUnreachable: before == nil
      )
    }
  }
}
