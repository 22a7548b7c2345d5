// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis

/// A compiled filter as text: each instruction with what it means where that is certain.
package struct FilterListing: Sendable {
  /// One instruction.
  package struct Line: Sendable, Hashable {
    /// Its place.
    package var index: Int
    /// The instruction.
    package var instruction: FilterInstruction
    /// What it does, with names.
    package var text: String
    /// The places where it can go on, if it chooses or jumps.
    package var targets: [Int]
    /// The calls that can get here; nil if they are not few.
    package var calls: [String]?
    /// What becomes of a call here; nil if the program goes on or calculates it.
    package var verdict: Verdict?
    /// Whether no call can get here.
    package var isDead: Bool
  }

  /// The instructions.
  package let lines: [Line]

  /// Reads a program.
  package init(_ program: FilterProgram) {
    let knowledge = ProgramKnowledge.before(program)
    lines = program.operations.indices.map { index in
      let before = knowledge[index]
      let text = InstructionText(program, index, before ?? Knowledge())
      return Line(
        index: index,
        instruction: program.instructions[index],
        text: text.text,
        targets: text.targets,
        calls: before?.calls,
        verdict: text.verdict,
        isDead: before == nil
      )
    }
  }
}
