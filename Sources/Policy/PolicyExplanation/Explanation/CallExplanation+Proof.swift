// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SandboxPolicy
internal import SystemCalls

extension CallExplanation {
  /// Returns a call that a compiled filter answers differently from this explanation.
  ///
  /// - Returns: A call among those that the explanation covers, or `nil` if the filter is proved to agree.
  /// - Throws: ``AnalysisError`` if the analysis exceeds its limits.
  package func disagreement(with program: FilterProgram) throws(AnalysisError) -> Disagreement? {
    try disagreement(with: CallSpace().behavior(of: program))
  }

  /// Returns a call that a filter with a known behavior answers differently from this explanation, or `nil`
  /// if there is none.
  package func disagreement(with behavior: FilterBehavior) throws(AnalysisError) -> Disagreement? {
    let space = behavior.space
    let requested = try space.architecture(call.architecture.auditArchitecture)
      .intersection(try space.numbers(call.number...call.number))
      .intersection(try Self.calls(call.arguments, in: space))
    var rest = requested
    for part in parts {
      var subject = rest
      if !part.rules.isEmpty {
        var union = space.nothing
        for rule in part.rules { union = try union.union(try Self.calls(rule.pattern, in: space)) }
        subject = try rest.intersection(union)
      }
      rest = try rest.subtracting(subject)
      let other = try behavior.inputs { $0 != part.answer.verdict }.intersection(subject)
      if let input = try other.witness() {
        return Disagreement(input: input, explained: part.answer, compiled: behavior.verdict(for: input))
      }
    }
    // A call that no part covers is a disagreement, too.
    guard let input = try rest.witness() else { return nil }
    return Disagreement(input: input, explained: nil, compiled: behavior.verdict(for: input))
  }

  /// A call for which an explanation and a compiled filter differ.
  package struct Disagreement: Sendable, Hashable, CustomStringConvertible {
    /// The call.
    package var input: SeccompData
    /// The answer in the explanation, or `nil` if the explanation does not cover the call.
    package var explained: CallAnswer?
    /// The verdict of the filter.
    package var compiled: Verdict

    /// The call and both answers as text, without a final period.
    package var description: String {
      let architecture =
        CallArchitecture.of(auditArchitecture: input.architecture, number: input.number) ?? .native
      let name = CallTable.of(architecture).name(of: input.number) ?? "call \(input.number)"
      return
        "\(CallText.render(name, input.arguments, on: architecture)) on \(architecture.rawValue): the explanation predicts "
        + "\(explained?.name ?? "nothing"), but the compiled filter returns \(compiled)"
    }
  }

  /// Returns the calls with these arguments; `nil` matches any value.
  private static func calls(_ arguments: [UInt64?], in space: CallSpace) throws(AnalysisError) -> CallSet {
    var set = space.everything
    for (index, argument) in arguments.enumerated() {
      guard let argument else { continue }
      set = try set.intersection(try space.argument(index, mask: .max, equals: argument))
    }
    return set
  }

  /// Returns the calls with arguments that match a pattern.
  private static func calls(_ pattern: ArgumentPattern, in space: CallSpace) throws(AnalysisError) -> CallSet
  {
    var set = space.everything
    for condition in pattern.conditions {
      let part = try space.argument(
        condition.index,
        mask: UInt64(condition.mask),
        equals: UInt64(condition.value)
      )
      set = try set.intersection(part)
    }
    return set
  }
}
