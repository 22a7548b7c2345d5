// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

extension Invariant {
  /// The calls that it forbids.
  package func set(in space: CallSpace) throws(AnalysisError) -> CallSet {
    var set = space.nothing
    for calls in forbidden { set = try set.union(calls.set(in: space)) }
    return set
  }
}

extension ForbiddenCalls {
  /// The calls.
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
  /// The calls, with any arguments.
  fileprivate func set(in space: CallSpace) throws(AnalysisError) -> CallSet {
    switch self {
    case .call(let name):
      var set = space.nothing
      for architecture in CallArchitecture.allCases {
        guard let number = CallTable.of(architecture).number(of: name) else { continue }
        let call = try space.numbers(number...number)
          .intersection(space.architecture(architecture.auditNumber))
        set = try set.union(call)
      }
      return set
    case .every(let architecture): return try Self.numbers(of: architecture, in: space)
    case .unknown(let architecture):
      var set = try Self.numbers(of: architecture, in: space)
      for number in CallTable.of(architecture).numbers {
        set = try set.subtracting(space.numbers(number...number))
      }
      return set
    }
  }

  /// Every number of an architecture; x86-64 and x32 share a token and are told apart by a bit.
  private static func numbers(
    of architecture: CallArchitecture,
    in space: CallSpace
  ) throws(AnalysisError) -> CallSet {
    let all = try space.architecture(architecture.auditNumber)
    let wide = try space.numbers(CallArchitecture.x32Bit ... .max)
    return switch architecture {
    case .x32: try all.intersection(wide)
    case .x86: try all.subtracting(wide)
    case .i386, .arm64, .arm, .riscv, .power, .s390: all
    }
  }
}

extension InvariantCondition {
  /// The calls for which it holds.
  fileprivate func set(in space: CallSpace) throws(AnalysisError) -> CallSet {
    var set = space.nothing
    for value in values { set = try set.union(space.argument(index, mask: mask, equals: value)) }
    return set
  }
}
