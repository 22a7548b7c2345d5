// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

extension CallProfile {
  /// Returns a program with the behavior of the profile.
  ///
  /// The program is proved equal to ``behavior(in:)`` before it is returned.
  ///
  /// - Throws: ``ProfileCompilationError`` if the kernel would reject the program, or if the proof fails.
  package func compiled() throws(ProfileCompilationError) -> FilterProgram {
    let program: FilterProgram
    do { program = try FilterProgram(instructions()) } catch { throw .program(error) }
    do {
      let space = CallSpace()
      let difference = try space.behavior(of: program).difference(from: behavior(in: space))
      if let call = try difference.witness() { throw ProfileCompilationError.different(call) }
    } catch let error as AnalysisError { throw .analysis(error) } catch let error as ProfileCompilationError {
      throw error
    } catch { preconditionFailure("nothing else is thrown: \(error)") }
    return program
  }

  private func instructions() -> [FilterInstruction] {
    var assembly = BackwardAssembly()
    var location = assembly.finish(otherArchitectures)
    let tokens = Set(architectures.map(\.auditArchitecture)).sorted()
    for token in tokens {
      let tree = assembly.tree(ranges(ofArchitecture: token, &assembly)[...])
      let section = assembly.load(.number, then: tree)
      location = assembly.test(.equal, token, yes: section, no: location)
    }
    if !tokens.isEmpty { _ = assembly.load(.architecture, then: location) }
    return assembly.instructions
  }

  /// Returns the ranges of call numbers for one `AUDIT_ARCH_…` value, with their targets.
  private func ranges(
    ofArchitecture token: UInt32,
    _ assembly: inout BackwardAssembly
  ) -> [BackwardAssembly.Range] {
    var parts: [(span: ClosedRange<UInt32>, ranges: [BackwardAssembly.Range])] = []
    for architecture in CallArchitecture.allCases
    where architectures.contains(architecture) && architecture.auditArchitecture == token {
      let meaning = ArchitectureRules(self, architecture)
      let targets = meaning.targets(in: &assembly)
      for span in meaning.spans { parts.append((span, meaning.ranges(in: span, targets))) }
    }
    var ranges: [BackwardAssembly.Range] = []
    ranges.append(0, .answer(otherArchitectures))
    for part in parts.sorted(by: { $0.span.lowerBound < $1.span.lowerBound }) {
      for range in part.ranges { ranges.append(range.first, range.target) }
      if part.span.upperBound < .max { ranges.append(part.span.upperBound + 1, .answer(otherArchitectures)) }
    }
    return ranges
  }
}

/// A reason why a profile cannot be compiled.
package enum ProfileCompilationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kernel would reject the program.
  case program(FilterProgramError)
  /// The analysis failed, so the program was not compared with the profile.
  case analysis(AnalysisError)
  /// The program and the profile return different verdicts for this call.
  case different(SeccompData)

  /// The reason as text.
  package var description: String {
    switch self {
    case .program(let error): "the kernel would reject the program compiled from the rules: \(error.reason)"
    case .analysis(let error): "the program compiled from the rules could not be compared with them: \(error)"
    case .different(let call):
      "INTERNAL ERROR: the compiled program and the rules differ for number \(call.number) of architecture "
        + "0x\(String(call.architecture, radix: 16)); please report this error with the file"
    }
  }
}
