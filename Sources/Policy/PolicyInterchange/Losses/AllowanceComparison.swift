// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SandboxPolicy
internal import SystemCalls

/// A comparison of the native calls that two behaviors allow.
///
/// Each difference is reported by call. If no difference is reported, both behaviors are proved to allow the
/// same calls.
package struct AllowanceComparison {
  private let space: CallSpace
  private let table = CallTable.of(.native)
  private let token = CallArchitecture.native.auditArchitecture
  /// The verdicts of each side for every call.
  private let behaviors: (original: FilterBehavior, result: FilterBehavior)
  /// The native calls that the original allows.
  private let original: CallSet
  /// The native calls that the result allows.
  private let result: CallSet

  /// The consequence if the result refuses a call only because of an upper half that the kernel does not
  /// read.
  private let unreadBitsConsequence: InterchangeLoss.Consequence

  /// Creates a comparison of two behaviors in the same space.
  ///
  /// - Parameters:
  ///   - original: The behavior before the conversion.
  ///   - supervision: The known behavior of the processes that answer calls instead of the original.
  ///   - result: The behavior after the conversion.
  ///   - unreadBitsConsequence: The consequence for upper halves that the kernel does not read. Programs may leave
  ///     nonzero bits there, so a result that compares more bits than the original is stricter.
  /// - Throws: ``AnalysisError`` if the analysis exceeds its limits.
  package init(
    original: FilterBehavior,
    under supervision: Supervision,
    result: FilterBehavior,
    unreadBitsConsequence: InterchangeLoss.Consequence = .none
  ) throws(AnalysisError) {
    self.unreadBitsConsequence = unreadBitsConsequence
    space = original.space
    behaviors = (original, result)
    let own = try space.architecture(CallArchitecture.native.auditArchitecture)
    self.original = try original.permitted(under: supervision).intersection(own)
    self.result = try result.permitted(under: .unknown).intersection(own)
  }

  /// Whether both sides are proved to allow the same native calls.
  package var isEqual: Bool { original == result }

  /// Returns the calls that only one side allows.
  package func losses() throws(AnalysisError) -> [InterchangeLoss] {
    try losses(result.subtracting(original), .weaker) + losses(original.subtracting(result), .stricter)
  }

  /// Returns the changed answers to refused native calls, with one example for each pair of answers.
  package func answers() throws(AnalysisError) -> [InterchangeLoss] {
    let own = try space.architecture(token).subtracting(original).subtracting(result)
    var remaining = try behaviors.original.difference(from: behaviors.result).intersection(own)
    var losses: [InterchangeLoss] = []
    while let witness = try remaining.witness() {
      let (before, after) = (behaviors.original.verdict(for: witness), behaviors.result.verdict(for: witness))
      let name = table.name(of: witness.number) ?? "number \(witness.number)"
      let text =
        "for example, \(name) returns \(Self.text(after)) instead of \(Self.text(before))"
      losses.append(InterchangeLoss("", .differentAnswers(text), .answer))
      remaining = try remaining.subtracting(
        behaviors.original.inputs { $0 == before }.intersection(behaviors.result.inputs { $0 == after })
      )
    }
    return losses
  }

  /// Returns a refusal as text, with the name of its error.
  private static func text(_ verdict: Verdict) -> String {
    if case .errno(let number) = verdict { ErrorNames.name(of: number) } else { "\(verdict)" }
  }

  private func losses(_ set: CallSet, _ consequence: InterchangeLoss.Consequence) throws(AnalysisError)
    -> [InterchangeLoss]
  {
    guard !set.isEmpty else { return [] }
    var losses: [InterchangeLoss] = []
    var rest = set
    for number in table.numbers {
      let part = try set.intersection(space.numbers(number...number))
      guard !part.isEmpty, let name = table.name(of: number) else { continue }
      rest = try rest.subtracting(part)
      losses.append(try loss(name, part, consequence))
    }
    let bit = CallArchitecture.x32Bit
    let foreign = try rest.intersection(space.numbers(bit...UInt32.max - 1))
    if CallArchitecture.native == .x86, !foreign.isEmpty {
      losses.append(InterchangeLoss("", .otherArchitectures([CallArchitecture.x32.rawValue]), consequence))
      rest = try rest.subtracting(foreign)
    }
    if !rest.isEmpty { losses.append(InterchangeLoss("", .unknownNumbers, consequence)) }
    return losses.sorted { ($0.location, "\($0.kind)") < ($1.location, "\($1.kind)") }
  }

  /// Returns the loss for a difference in one call.
  private func loss(_ call: String, _ set: CallSet, _ consequence: InterchangeLoss.Consequence)
    throws(AnalysisError) -> InterchangeLoss
  {
    if let argument = try unreadArgument(call, set) {
      let consequence = consequence == .stricter ? unreadBitsConsequence : .none
      return InterchangeLoss(call, .upperHalf(call: call, argument: argument), consequence)
    }
    if consequence == .stricter, let area = PolicyCore.area[call] ?? PolicyCore.requirements[call]?.area {
      return InterchangeLoss(call, .core(call, reason: area.reason), consequence)
    }
    let permitted = try set.intersection(behaviors.original.inputs { $0.executesCall })
    if consequence == .stricter, permitted.isEmpty, let witness = try set.witness(preferring: [token]) {
      let example = CallText.render(call, witness.arguments)
      return InterchangeLoss(call, .supervised(call: call, example: example), consequence)
    }
    guard let witness = try set.witness(preferring: [token]) else {
      return InterchangeLoss(call, .difference(call: call, example: call), consequence)
    }
    return InterchangeLoss(
      call,
      .difference(call: call, example: CallText.render(call, witness.arguments)),
      consequence
    )
  }

  /// Returns the index of an argument that the kernel reads as 32 bits if only its upper half makes the
  /// difference, or `nil` if there is none.
  private func unreadArgument(_ call: String, _ set: CallSet) throws(AnalysisError) -> Int? {
    // An argument that alone explains the difference is preferred to the first of several.
    var remaining = set
    var last: Int?
    for index in 0..<SeccompData.argumentCount where KernelWidths.isNarrow(call, index) {
      let plain = try space.argument(index, mask: 0xFFFF_FFFF_0000_0000, equals: 0)
      if try set.intersection(plain).isEmpty { return index }
      remaining = try remaining.intersection(plain)
      last = last ?? (remaining.isEmpty ? index : nil)
    }
    return last
  }
}
