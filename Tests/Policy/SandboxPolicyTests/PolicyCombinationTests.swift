// SPDX-License-Identifier: Apache-2.0

import JSONText
import SandboxPolicy
import Testing

/// Combines policies and evaluates single calls.
@Suite struct PolicyCombinationTests {
  /// Returns the policy of a document with the given members.
  private func policy(_ members: String) throws -> ResolvedPolicy {
    let text = #"{"name":"own","description":"A policy."\#(members.isEmpty ? "" : ",")\#(members)}"#
    return try PolicyLibrary().resolve(try PolicyParser.parse(Array(text.utf8), source: "own.json"))
  }

  /// Returns the policy of the flattened document of a combination.
  private func resolved(_ policy: ResolvedPolicy) throws -> ResolvedPolicy {
    try PolicyLibrary().resolve(
      try PolicyParser.parse(policy.flattened.bytes(.indented), source: "combined.json")
    )
  }

  @Test func `an intersection allows what both allow, and a union what either allows`() throws {
    var random = SplitMix64(state: 7)
    for _ in 0..<60 {
      let (first, second) = (try policy(random.rules()), try policy(random.rules()))
      let both = try resolved(first.combined(by: .intersection, with: second))
      let either = try resolved(first.combined(by: .union, with: second))
      for _ in 0..<300 {
        let call = random.call()
        let arguments = (0..<3).map { _ in UInt64(random.next() % 8) }
        let allowed = (first.allows(call, arguments), second.allows(call, arguments))
        #expect(both.allows(call, arguments) == (allowed.0 && allowed.1), "\(call) \(arguments)")
        #expect(either.allows(call, arguments) == (allowed.0 || allowed.1), "\(call) \(arguments)")
      }
    }
  }

  @Test func `an intersection accepts a single mechanism only for the access of both policies`() throws {
    let first = try policy(#""acceptSingleMechanism":["udp","tcp"]"#)
    let second = try policy(#""acceptSingleMechanism":["udp","groupContainers"]"#)
    let both = try resolved(first.combined(by: .intersection, with: second))
    let either = try resolved(first.combined(by: .union, with: second))
    #expect(both.acceptSingleMechanism == [.udp])
    #expect(either.acceptSingleMechanism == [.tcp, .udp, .groupContainers])
    #expect(first.sandboxDifferences(to: both) == [.singleMechanismRefused(.tcp)])
    #expect(first.sandboxDifferences(to: either) == [.singleMechanismAccepted(.groupContainers)])
    #expect(either.sandboxDifferences(to: first).map(\.direction) == [.stricter])
  }

  @Test func `an intersection has no weaker path or limit, and a union no stricter one`() throws {
    let first = try policy(
      #""readOnly":["/usr",{"path":"/opt/a","optional":true}],"limits":{"processes":8,"freeReserve":"1MiB"},"execute":"any","#
        + #""semaphores":"named""#
    )
    let second = try policy(
      #""readOnly":["/usr/share","/opt/a"],"devices":["/dev/null"],"scratch":{"size":"1MiB"},"limits":{"processes":9},"execute":"once","#
        + #""content":"asWritten""#
    )
    let both = try resolved(first.combined(by: .intersection, with: second))
    let either = try resolved(first.combined(by: .union, with: second))
    for policy in [first, second] {
      #expect(policy.sandboxDifferences(to: both).allSatisfy { $0.direction != .weaker })
      #expect(policy.sandboxDifferences(to: either).allSatisfy { $0.direction != .stricter })
    }
    #expect(Set(both.readOnly.map(\.path)) == ["/usr/share", "/opt/a"])
    #expect(both.readOnly.allSatisfy { $0.presence == .required })
    #expect(both.limits[.processes] == 8 && both.limits[.freeReserve] == 1 << 20)
    #expect(either.limits[.processes] == 9 && either.limits[.freeReserve] == 0)
    #expect(both.execute == .once && either.execute == .any)
    #expect(both.semaphores == .unnamed && either.semaphores == .named)
    #expect(both.content == .portable && either.content == .asWritten)
  }

  @Test(arguments: [
    (#"["/opt","/opt/a"]"#, #"[{"path":"/opt/a","optional":true}]"#),
    (#"[{"path":"/opt/a","optional":true}]"#, #"["/opt","/opt/a"]"#),
    (#"["/opt",{"path":"/opt/a","optional":true}]"#, #"[{"path":"/opt","optional":true},"/opt/a"]"#),
  ])
  func `a path that one policy requires stays required, whichever paths contain it`(
    first: String,
    second: String
  )
    throws
  {
    let (one, other) = (try policy("\"readOnly\":\(first)"), try policy("\"readOnly\":\(second)"))
    let both = try resolved(one.combined(by: .intersection, with: other))
    #expect(both.readOnly.first { $0.path == "/opt/a" }?.presence == .required)
    #expect(one.sandboxDifferences(to: both).allSatisfy { $0.direction != .weaker })
    #expect(other.sandboxDifferences(to: both).allSatisfy { $0.direction != .weaker })
  }

  @Test func `a combined limit and execute have the position in the policy that sets them`() throws {
    let first = try policy("\n\"limits\":{\"processes\":8,\n\"memory\":\"4MiB\"},\n\"execute\":\"any\"")
    let second = try policy("\"execute\":\"once\",\"limits\":{\n\n\n\n\"processes\":4}")
    let both = first.combined(by: .intersection, with: second)
    #expect(both.limits.explicit[.processes] == second.limits.explicit[.processes])
    #expect(both.limits.explicit[.memory] == first.limits.explicit[.memory])
    #expect(both.executeOrigin == second.executeOrigin && both.executeOrigin != first.executeOrigin)
    // The other policy has the default.
    let either = first.combined(by: .union, with: second)
    let memory = try #require(either.limits.explicit[.memory])
    #expect(memory.value == second.limits.memory && memory.origin == second.documents.first?.name.origin)
  }

  @Test func `a policy combined with itself is unchanged`() throws {
    var random = SplitMix64(state: 11)
    let own = try policy(random.rules() + #","readOnly":["/usr"],"limits":{"processes":8}"#)
    for operation in PolicyCombination.allCases {
      let result = try resolved(own.combined(by: operation, with: own))
      #expect(own.sandboxDifferences(to: result) == [])
      for _ in 0..<300 {
        let call = random.call()
        let arguments = (0..<3).map { _ in UInt64(random.next() % 8) }
        #expect(result.allows(call, arguments) == own.allows(call, arguments))
      }
    }
  }

  /// A deterministic generator.
  private struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt32 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return UInt32(truncatingIfNeeded: value ^ (value >> 31))
    }

    /// Returns one of a few calls that a policy can allow with any arguments.
    mutating func call() -> String { ["read", "lseek", "flock", "dup2"][Int(next() % 4)] }

    /// Returns rules with conditions on single bits, some of which contradict each other.
    mutating func rules() -> String {
      let rules = (0..<Int(next() % 6)).map { _ -> String in
        let conditions = (0..<Int(next() % 3)).map { index -> String in
          let mask = next() % 8
          return #"{"index":\#(index),"mask":\#(mask),"equals":\#(next() & mask)}"#
        }
        let arguments = conditions.isEmpty ? "" : #","arguments":[\#(conditions.joined(separator: ","))]"#
        return #"{"call":"\#(call())"\#(arguments)}"#
      }
      return #""syscalls":{"allow":[\#(rules.joined(separator: ","))]}"#
    }
  }
}
