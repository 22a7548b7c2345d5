// SPDX-License-Identifier: Apache-2.0

public import DarkroomHost
internal import FilterAnalysis
internal import LaunchPlanning
internal import PolicyExplanation
internal import SandboxAudit

/// A compiled filter: a BPF program for seccomp(2).
public struct CompiledFilter: Sendable, Hashable {
  /// An instruction.
  public struct Instruction: Sendable, Hashable {
    /// The operation code.
    public let code: UInt16
    /// The number of instructions that are skipped if a test is true.
    public let ifTrue: UInt8
    /// The number of instructions that are skipped if a test is false.
    public let ifFalse: UInt8
    /// The constant.
    public let value: UInt32
    /// A description with the names of calls, arguments and constants.
    public let text: String
    /// Whether a call can reach the instruction.
    public let isReachable: Bool
  }

  /// The program, as `bwrap --seccomp` and other tools read it: eight bytes for each instruction, in the byte order of the
  /// machine.
  public let bytes: [UInt8]
  /// The instructions.
  public let instructions: [Instruction]

  /// Creates a filter from a program.
  init(_ program: FilterProgram) {
    bytes = program.bytes
    instructions = FilterListing(program).lines.map { line in
      Instruction(
        code: line.instruction.code,
        ifTrue: line.instruction.ifTrue,
        ifFalse: line.instruction.ifFalse,
        value: line.instruction.value,
        text: line.text,
        isReachable: !line.isUnreachable
      )
    }
  }
}

extension CapturePolicy {
  /// Compiles the policy for this machine, as `darkroom policy disassemble` does.
  ///
  /// - Throws: `HostError.policy` if the policy cannot be compiled.
  public func compile() async throws(HostError) -> CompiledFilter {
    try await programs { (program) throws(FilterSourceError) in [program] }[0]
  }

  /// Returns the two programs that a launch loads to report refused calls, in the order in which they are installed, as
  /// `darkroom policy disassemble --installed` does.
  ///
  /// - Throws: `HostError.policy` if the policy cannot be compiled.
  public func compileInstalled() async throws(HostError) -> [CompiledFilter] {
    try await programs(FilterSource.installed)
  }

  private func programs(
    _ select: @escaping @Sendable (FilterProgram) throws(FilterSourceError) -> [FilterProgram]
  ) async throws(HostError) -> [CompiledFilter] {
    let policy = resolved.policy
    return try await HostThread.run { () throws(HostError) in
      do throws(FilterSourceError) {
        return try select(try FilterSource.compile(policy)).map { CompiledFilter($0) }
      } catch { throw .policy(.init("\(error)")) }
    }
  }
}
