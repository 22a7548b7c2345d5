// SPDX-License-Identifier: Apache-2.0

import JSONText
import Policies
import SandboxPolicy
import Testing

/// Restricts policies for sessions without namespaces. SandboxEnforcementTests tests the compiled filters.
@Suite struct RestrictedPolicyTests {
  private static func restricted(_ allow: String, signalsAreScoped: Bool = true) throws -> ResolvedPolicy {
    let text = #"{"name":"p","syscalls":{"allow":[\#(allow)]}}"#
    let document = try PolicyParser.parse(Array(text.utf8), source: "p.json")
    return try PolicyLibrary().resolve(document).restricted(signalsAreScoped: signalsAreScoped)
  }

  @Test func `keeps the conditions of a policy except for stricter ones`() throws {
    let rule = #"{"call":"kill","arguments":[{"index":0,"equals":7}]}"#
    #expect(try Self.restricted(rule, signalsAreScoped: false).rules(for: "kill").isEmpty)
    let loose = #"{"call":"kill","arguments":[{"index":0,"mask":"0x1","equals":0},{"index":1,"equals":7}]}"#
    #expect(
      try Self.restricted(loose, signalsAreScoped: false).rules(for: "kill").map(\.conditions) == [
        [ArgumentCondition(index: 0, value: 0), ArgumentCondition(index: 1, value: 7)]
      ]
    )
    let command = #"{"call":"fcntl","arguments":[{"index":1,"equals":8}]}"#
    #expect(try Self.restricted(command).rules(for: "fcntl").isEmpty)
  }

  @Test func `changes only the calls of a policy`() throws {
    let base = try #require(try PolicyLibrary(texts: ShippedPolicies.texts).policy(named: "base"))
    var restricted = base.restricted(signalsAreScoped: true)
    #expect(Set(restricted.calls.map(\.call)).isStrictSubset(of: Set(base.calls.map(\.call))))
    restricted.calls = base.calls
    #expect(restricted == base)
  }

  @Test(arguments: [true, false])
  func `each removed or restricted call has a reason`(scoped: Bool) throws {
    let base = try #require(try PolicyLibrary(texts: ShippedPolicies.texts).policy(named: "base"))
    let restricted = base.restricted(signalsAreScoped: scoped)
    for call in Set(base.calls.map(\.call)) {
      let isChanged = base.rules(for: call) != restricted.rules(for: call)
      let reason = RestrictedCalls.reason(for: call, signalsAreScoped: scoped)
      #expect(
        (reason != nil) == isChanged || call == "prctl",
        "\(call): \(reason ?? "no reason")"
      )
    }
    #expect(base.rules(for: "prctl") != restricted.rules(for: "prctl"))
  }
}
