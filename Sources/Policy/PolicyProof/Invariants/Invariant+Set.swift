// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

extension Invariant {
  /// Returns the calls that the invariant forbids.
  package func set(in space: CallSpace) throws(AnalysisError) -> CallSet {
    // Calls that are forbidden with any arguments are one set, which takes no longer to build than that of a
    // single call.
    var set = try ForbiddenCalls.Subject.calls(
      named: forbidden.compactMap(\.unconditionalCallName),
      in: space
    )
    for calls in forbidden where calls.unconditionalCallName == nil {
      set = try set.union(calls.set(in: space))
    }
    return set
  }
}

extension ForbiddenCalls {
  /// The call's name if the subject is one call without conditions, or `nil`.
  fileprivate var unconditionalCallName: String? {
    if case .call(let name) = subject, when.isEmpty, unless.isEmpty { name } else { nil }
  }

  /// Returns the forbidden calls.
  func set(in space: CallSpace) throws(AnalysisError) -> CallSet {
    var set = try subject.set(in: space)
    for condition in when { set = try set.intersection(condition.set(in: space)) }
    guard !unless.isEmpty else { return set }
    var harmless = space.everything
    for condition in unless { harmless = try harmless.intersection(condition.set(in: space)) }
    return try set.subtracting(harmless)
  }
}

extension ForbiddenCalls.Subject {
  /// Returns the calls, with any arguments.
  fileprivate func set(in space: CallSpace) throws(AnalysisError) -> CallSet {
    switch self {
    case .call(let name): return try Self.calls(named: [name], in: space)
    case .every(let architecture): return try Self.numbers(of: architecture, in: space)
    case .unknown(let architecture):
      let known = try space.numbers(CallTable.of(architecture).numbers)
      return try Self.numbers(of: architecture, in: space).subtracting(known)
    }
  }

  /// Returns the calls with these names on every architecture, with any arguments.
  fileprivate static func calls(named names: [String], in space: CallSpace) throws(AnalysisError) -> CallSet {
    var set = space.nothing
    guard !names.isEmpty else { return set }
    for architecture in CallArchitecture.allCases {
      let table = CallTable.of(architecture)
      let numbers = try space.numbers(names.compactMap(table.number(of:)))
      set = try set.union(numbers.intersection(space.architecture(architecture.auditArchitecture)))
    }
    return set
  }

  /// Returns all numbers of an architecture. x86-64 and x32 have the same `AUDIT_ARCH_…`; a bit of the number
  /// distinguishes them.
  private static func numbers(
    of architecture: CallArchitecture,
    in space: CallSpace
  ) throws(AnalysisError) -> CallSet {
    let all = try space.architecture(architecture.auditArchitecture)
    let wide = try space.numbers(CallArchitecture.x32Bit ... .max)
    return switch architecture {
    case .x32: try all.intersection(wide)
    case .x86: try all.subtracting(wide)
    case .i386, .arm64, .arm, .riscv, .power, .s390: all
    }
  }
}

extension InvariantCondition {
  /// Returns the calls for which the condition holds.
  fileprivate func set(in space: CallSpace) throws(AnalysisError) -> CallSet {
    var set = space.nothing
    for value in values { set = try set.union(space.argument(index, mask: mask, equals: value)) }
    return set
  }
}
