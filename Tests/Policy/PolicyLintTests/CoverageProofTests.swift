// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import JSONText
import PolicyLint
import PolicyProof
import SandboxPolicy
import Testing

/// Compares the check for unreachable rules with the analysis of whole filters, which shares no code with the
/// check.
@Suite struct CoverageProofTests {
  /// Returns rules of one call with random comparisons of all bits, so that some rules cover others.
  private static func rules(_ numbers: inout SplitMix64) -> [SyscallRule] {
    let masks: [UInt32] = [0, 1, 0x8000_0001, 0xFF00_0000, .max]
    return (0..<6).map { _ in
      SyscallRule(
        call: "fcntl",
        conditions: [1, 2].map { index in
          let mask = masks.randomElement(using: &numbers) ?? 0
          let values: [UInt32] = [0, 1, 0x8000_0001, 0xFF00_0000]
          return ArgumentCondition(
            index: index,
            mask: mask,
            value: (values.randomElement(using: &numbers) ?? 0) & mask
          )
        },
        origin: PolicyOrigin(source: "", position: .init(line: 1, column: 1))
      )
    }
  }

  /// Returns a rule as JSON.
  private static func text(_ rule: SyscallRule) -> String {
    let conditions = rule.conditions.map {
      #"{"index":\#($0.index),"mask":\#($0.mask),"equals":\#($0.value)}"#
    }
    return #"{"call":"fcntl","arguments":[\#(conditions.joined(separator: ","))]}"#
  }

  @Test func `removing unreachable rules keeps the proved behavior, and removing others changes it`()
    throws
  {
    var numbers = SplitMix64(seed: 7)
    var unreachableCount = 0
    for _ in 0..<4 {
      let rules = Self.rules(&numbers)
      let document = try PolicyParser.parse(
        #"{"name":"own","description":"A.","syscalls":{"allow":[\#(rules.map(Self.text).joined(separator: ","))]}}"#,
        source: "0.json"
      )
      let policy = try PolicyLibrary().resolve(document)
      let places = PolicyLinter.findings(in: policy).filter { $0.rule.id == "DR2001" }.map(\.keyPath)
      let unreachable = Set(rules.indices.filter { places.contains("syscalls.allow[\($0)]") })
      unreachableCount += unreachable.count
      let space = CallSpace()
      func behavior(_ kept: some Sequence<Int>) throws -> FilterBehavior {
        var policy = policy
        policy.calls = kept.map { rules[$0] }
        return try PolicySemantics(policy).behavior(in: space)
      }
      let kept = rules.indices.filter { !unreachable.contains($0) }
      let whole = try behavior(rules.indices)
      #expect(try behavior(kept) == whole, "\(rules)")
      for one in kept { #expect(try behavior(kept.filter { $0 != one }) != whole, "\(rules) without \(one)") }
    }
    #expect(unreachableCount > 0)
  }
}
