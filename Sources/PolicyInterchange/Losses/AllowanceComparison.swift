// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SandboxPolicy
internal import SystemCalls

/// Compares what two sides of an exchange allow on the native architecture: what differs is told call by call, and if
/// nothing is told that is a proof that they allow the same.
package struct AllowanceComparison {
  private let space: CallSpace
  private let table = CallTable.of(.native)
  private let token = CallArchitecture.native.auditNumber
  /// The calls that the original allows.
  private let original: CallSet
  /// The calls that the result allows.
  private let result: CallSet

  /// Compares two behaviors.
  package init(original: FilterBehavior, result: FilterBehavior) throws(AnalysisError) {
    space = original.space
    let own = try space.architecture(CallArchitecture.native.auditNumber)
    self.original = try original.permitted().intersection(own)
    self.result = try result.permitted().intersection(own)
  }

  /// Whether the same calls are allowed: this is a proof.
  package var isEqual: Bool { original == result }

  /// What differs.
  package func losses() throws(AnalysisError) -> [InterchangeLoss] {
    try losses(result.subtracting(original), .weaker) + losses(original.subtracting(result), .stricter)
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
    return losses.sorted { ($0.place, "\($0.matter)") < ($1.place, "\($1.matter)") }
  }

  /// The loss that a difference of one call is.
  private func loss(_ call: String, _ set: CallSet, _ consequence: InterchangeLoss.Consequence)
    throws(AnalysisError) -> InterchangeLoss
  {
    if consequence == .stricter, let area = PolicyCore.area[call] ?? PolicyCore.requirements[call]?.area {
      return InterchangeLoss(call, .core(call, reason: area.reason), consequence)
    }
    if consequence == .weaker, let argument = try unreadArgument(call, set) {
      return InterchangeLoss(call, .upperHalf(call: call, argument: argument), .none)
    }
    guard let witness = try set.witness(preferring: [token]) else {
      return InterchangeLoss(call, .difference(call: call, example: call), consequence)
    }
    return InterchangeLoss(call, .difference(call: call, example: Self.text(call, witness)), consequence)
  }

  /// An argument whose upper half alone makes the difference, though the kernel does not read it; nil if there is none.
  private func unreadArgument(_ call: String, _ set: CallSet) throws(AnalysisError) -> Int? {
    var left = set
    var first: Int?
    for index in 0..<CallInput.argumentCount where KernelWidths.isNarrow(call, index) {
      let plain = try space.argument(index, mask: 0xFFFF_FFFF_0000_0000, equals: 0)
      let next = try left.intersection(plain)
      if next != left { first = first ?? index }
      left = next
    }
    return left.isEmpty ? first : nil
  }

  /// A call as a person writes it, without the arguments at the end that are zero.
  private static func text(_ call: String, _ input: CallInput) -> String {
    let last = input.arguments.lastIndex { $0 != 0 } ?? 0
    let arguments = input.arguments[0...last].map { "0x\(String($0, radix: 16))" }
    return "\(call)(\(arguments.joined(separator: ", ")))"
  }
}
