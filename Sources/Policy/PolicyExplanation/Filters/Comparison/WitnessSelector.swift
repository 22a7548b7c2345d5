// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import SystemCalls

/// A selector of a readable example from the calls of a region, with named constants and as few other values
/// as possible.
struct WitnessSelector {
  private let region: CallRegion
  private let set: CallSet

  /// Creates a selector for a region of a set.
  init(_ region: CallRegion, _ set: CallSet) {
    self.region = region
    self.set = set
  }

  /// Returns a call with a number.
  func call(_ number: UInt32, on token: UInt32) throws(AnalysisError) -> SeccompData {
    if let conditions = region.alternatives.first, let chosen = chosen(number, token, conditions) {
      return chosen
    }
    let calls = try set.intersection(set.space.architecture(token)).intersection(
      set.space.numbers(number...number)
    )
    guard let witness = try calls.witness() else { preconditionFailure("a region has calls") }
    return witness
  }

  /// Returns a call that meets conditions, or `nil` if it is not in the set.
  private func chosen(_ number: UInt32, _ token: UInt32, _ conditions: [ArgumentConstraint]) -> SeccompData? {
    let architecture = CallArchitecture.of(auditArchitecture: token, number: number)
    let name = architecture.flatMap { CallTable.of($0).name(of: number) }
    var arguments: [UInt64] = []
    var pointer: UInt64 = 0
    for index in 0..<SeccompData.argumentCount {
      let values = conditions.first { $0.field == .argument(index) }?.values
      let signature = name.flatMap { CallSignature.of($0, on: architecture ?? .native, arguments: arguments) }
      let family = signature.flatMap { $0.parameters.dropFirst(index).first?.family }
      arguments.append(Self.value(in: values, family, architecture ?? .native))
    }
    if let values = conditions.first(where: { $0.field == .instructionPointer })?.values {
      pointer = Self.value(in: values, nil, .native)
    }
    let call = SeccompData(
      architecture: token,
      number: number,
      arguments: arguments,
      instructionPointer: pointer
    )
    return set.contains(call) ? call : nil
  }

  /// Returns an allowed value, preferably a named one.
  private static func value(
    in values: ValueSet?,
    _ family: ConstantFamily?,
    _ architecture: CallArchitecture
  ) -> UInt64 {
    let named = family.map { namedValues($0, architecture) } ?? []
    guard let values else {
      // Zero is a good value, unless the argument must be one of several constants and none of them is zero.
      guard let family, family.choiceMask != 0, let first = named.first else { return 0 }
      return family.constants.contains { $0.value(on: architecture) == 0 } ? 0 : first
    }
    return (named + boundaryValues(values)).first(where: values.contains) ?? 0
  }

  /// Returns the named values except zero.
  private static func namedValues(_ family: ConstantFamily, _ architecture: CallArchitecture) -> [UInt64] {
    family.constants.compactMap { family.value(of: $0.name, on: architecture) }.filter { $0 != 0 }
  }

  /// Returns values of which a set contains at least one, for most sets.
  private static func boundaryValues(_ values: ValueSet) -> [UInt64] {
    switch values.form {
    case .ranges(let ranges): ranges.map(\.lowerBound) + [0] + ranges.map { $0.upperBound &+ 1 }
    case .lowerHalf(let ranges):
      ranges.map { UInt64($0.lowerBound) } + [0] + ranges.map { UInt64($0.upperBound &+ 1) }
    case .masked(let comparisons):
      comparisons.map { $0.value ^ significantBit($0.mask) } + comparisons.map(\.value) + [0, .max]
    }
  }

  /// Returns the highest bit of a mask in the lower half, if there is one. In a file mode, this is a
  /// permission of the user.
  private static func significantBit(_ mask: UInt64) -> UInt64 {
    let lower = UInt32(truncatingIfNeeded: mask)
    return lower == 0 ? mask & (0 &- mask) : 1 << UInt64(31 - lower.leadingZeroBitCount)
  }
}
