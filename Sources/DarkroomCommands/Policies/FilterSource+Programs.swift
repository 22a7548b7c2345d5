// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import FilterAnalysis
internal import SandboxEnforcement
internal import SandboxLaunch
internal import SandboxPolicy

extension FilterSource {
  /// Why rules cannot be treated as a program.
  static func notCompiled(_ word: String) -> CommandFailure {
    CommandFailure(
      .usage,
      "\(word) has rules that whoever loads them compiles first; compare them with policy diff, or name a compiled filter"
    )
  }

  /// The program that a policy is compiled to.
  static func compile(_ policy: ResolvedPolicy) throws(CommandFailure) -> FilterProgram {
    do {
      return try FilterInspection.decoded(try SeccompCompiler.compile(policy).instructions)
    } catch let error as SeccompError { throw CommandFailure(.data, "\(error)") } catch {
      throw CommandFailure(.machine, "\(error)")
    }
  }

  /// The pair of programs that a launch loads instead of a compiled one, the first one installed first.
  static func installed(_ program: FilterProgram) throws(CommandFailure) -> [FilterProgram] {
    var programs: [FilterProgram] = []
    for bytes in InstalledFilters(program.bytes, .reported).programs {
      do { programs.append(try FilterInspection.decoded(bytes)) } catch {
        throw CommandFailure(.machine, "\(error)")
      }
    }
    return programs
  }
}
