// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SandboxPolicy
internal import SystemCalls

extension CallExplanation {
  /// A call that a compiled filter answers otherwise than this explanation says; nil if there is none among all calls that
  /// were asked about, which is then proved.
  package func disagreement(with program: FilterProgram) throws(AnalysisError) -> Disagreement? {
    try disagreement(with: CallSpace().behavior(of: program))
  }

  /// The same for what is known of a filter already.
  package func disagreement(with behavior: FilterBehavior) throws(AnalysisError) -> Disagreement? {
    let space = behavior.space
    let asked = try space.architecture(call.architecture.auditNumber)
      .intersection(try space.numbers(call.number...call.number))
      .intersection(try Self.calls(call.arguments, in: space))
    var rest = asked
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
    // What no part speaks of would be explained by nothing.
    guard let input = try rest.witness() else { return nil }
    return Disagreement(input: input, explained: nil, compiled: behavior.verdict(for: input))
  }

  /// A call about which an explanation and a compiled filter differ.
  package struct Disagreement: Sendable, Hashable, CustomStringConvertible {
    /// The call.
    package var input: CallInput
    /// What the explanation says; nil if it says nothing.
    package var explained: CallAnswer?
    /// What the filter answers.
    package var compiled: Verdict

    /// The call and both answers, without a full stop.
    package var description: String {
      let architecture = CallArchitecture.of(auditNumber: input.architecture, number: input.number) ?? .native
      let name = CallTable.of(architecture).name(of: input.number) ?? "call \(input.number)"
      return
        "\(CallText.render(name, input.arguments, on: architecture)) on \(architecture.rawValue): the explanation says "
        + "\(explained?.name ?? "nothing"), the compiled filter answers \(compiled)"
    }
  }

  /// The calls with these arguments; nil stands for any.
  private static func calls(_ arguments: [UInt64?], in space: CallSpace) throws(AnalysisError) -> CallSet {
    var set = space.everything
    for (index, argument) in arguments.enumerated() {
      guard let argument else { continue }
      set = try set.intersection(try space.argument(index, mask: .max, equals: argument))
    }
    return set
  }

  /// The calls that are made in the way of a pattern.
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
