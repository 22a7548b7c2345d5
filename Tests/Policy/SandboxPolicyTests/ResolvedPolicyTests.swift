// SPDX-License-Identifier: Apache-2.0

import JSONText
import SandboxPolicy
import Testing

@Suite struct ResolvedPolicyTests {
  @Test(arguments: ShippedPoliciesTests.names)
  func `a flattened policy is an equivalent document`(name: String) throws {
    let policy = try ShippedPoliciesTests.policy(name)
    let text = policy.flattened.text(.indented)
    let again = try PolicyLibrary().resolve(try PolicyParser.parse(text, source: "flat.json"))
    func rules(_ policy: ResolvedPolicy) -> Set<String> {
      Set(policy.calls.map { "\($0.call) \($0.conditions)" })
    }
    #expect(rules(again) == rules(policy))
    #expect(Set(again.readOnly.map(\.path)) == Set(policy.readOnly.map(\.path)))
    #expect(LimitName.allCases.allSatisfy { again.limits[$0] == policy.limits[$0] })
    #expect(again.scratchBytes == policy.scratchBytes && again.execute == policy.execute)
    #expect(again.content == policy.content)
    #expect(again.flattened == policy.flattened)
  }

  @Test func `each limit has its set value or else its standard value`() {
    var limits = PolicyLimits()
    #expect(LimitName.allCases.allSatisfy { limits[$0] == $0.defaultValue })
    let origin = PolicyOrigin(source: "a", position: TextPosition(line: 1, column: 1))
    for (value, name) in LimitName.allCases.enumerated() { limits.set(name, Sourced(value, origin)) }
    #expect(LimitName.allCases.map { limits[$0] } == Array(LimitName.allCases.indices))
    #expect([limits.processes, limits.cpuTime, limits.addressSpace, limits.freeReserve] == [0, 3, 5, 10])
  }

  @Test func `the order of keys and elements does not matter`() throws {
    let texts = [
      #"{"name":"a","syscalls":{"allow":["read","write"]},"devices":["/dev/null","/dev/zero"]}"#,
      #"{"name":"a","devices":["/dev/zero","/dev/null"],"syscalls":{"allow":["write","read"]}}"#,
    ]
    let flat = try texts.map {
      try PolicyLibrary().resolve(try PolicyParser.parse($0, source: "a")).flattened
    }
    #expect(flat[0] == flat[1])
  }
}
