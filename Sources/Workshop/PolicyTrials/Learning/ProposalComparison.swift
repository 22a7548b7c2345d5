// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
package import PolicyLearning
package import SandboxEnforcement
package import SandboxPolicy
internal import SystemCalls

/// The comparison of a proposed policy with its base policy: the exact difference between their compiled
/// filters.
package struct ProposalComparison: Sendable, Hashable {
  /// Calls that the proposal permits although the base does not and they were not observed: one example of
  /// each name, as text.
  package var unobserved: [String] = []
  /// Observed calls that the proposal does not permit; empty for a correct proposal.
  package var missing: [String] = []

  /// Compares a proposal with its base and with the observed calls.
  package init(
    of proposal: ResolvedPolicy,
    against base: ResolvedPolicy,
    seen picture: LearningProfile
  ) throws(ProposalComparisonError) {
    let programs = try [proposal, base].map { policy throws(ProposalComparisonError) in
      try Self.program(of: policy)
    }
    let space = CallSpace()
    do throws(AnalysisError) {
      let after = try space.behavior(of: programs[0]).permitted(under: .unknown)
      let before = try space.behavior(of: programs[1]).permitted(under: .unknown)
      let seen = try Self.seen(in: picture, space)
      unobserved = try Self.examples(of: after.subtracting(before).subtracting(seen))
      missing = try Self.examples(of: seen.subtracting(after))
    } catch { throw .tooLarge }
  }

  /// Returns the compiled filter of a policy.
  private static func program(of policy: ResolvedPolicy) throws(ProposalComparisonError) -> FilterProgram {
    let filter: SeccompFilter
    do { filter = try SeccompCompiler.compile(policy) } catch { throw .filter(error) }
    do { return try FilterProgram(bytes: filter.instructions) } catch { throw .tooLarge }
  }

  /// Returns the set of calls that are equivalent to the needed ones.
  private static func seen(
    in picture: LearningProfile,
    _ space: CallSpace
  ) throws(AnalysisError) -> CallSet {
    var all = space.nothing
    let native = CallArchitecture.native
    for kind in picture.kinds(.needed) {
      guard let number = CallTable.of(native).number(of: kind.call.call) else { continue }
      var set = try space.architecture(native.auditArchitecture).intersection(space.numbers(number...number))
      for argument in kind.call.arguments {
        set = try set.intersection(
          space.argument(argument.index, mask: UInt64(UInt32.max), equals: UInt64(argument.value))
        )
      }
      all = try all.union(set)
    }
    return all
  }

  /// Returns one example of each call name.
  private static func examples(of set: CallSet) throws(AnalysisError) -> [String] {
    let native = CallArchitecture.native
    var texts: [String] = []
    for range in try set.numbers(on: native.auditArchitecture) {
      for number in range {
        let calls = try set.intersection(set.space.numbers(number...number))
        guard let witness = try calls.witness(preferring: [native.auditArchitecture]) else { continue }
        let name = CallTable.of(native).name(of: number) ?? "\(number)"
        texts.append(CallText.render(name, witness.arguments))
      }
    }
    return texts
  }
}

/// A failure to compare two policies exactly.
package enum ProposalComparisonError: Error, Sendable, CustomStringConvertible {
  /// The filter of a policy could not be compiled.
  case filter(SeccompError)
  /// The filters are too large for the analysis.
  case tooLarge

  /// The error as text.
  package var description: String {
    switch self {
    case .filter(let error): "\(error)"
    case .tooLarge: "the filters are too large to be compared exactly"
    }
  }
}
