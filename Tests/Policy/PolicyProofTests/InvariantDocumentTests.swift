// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyProof
import SandboxPolicy
import SystemCalls
import Testing

/// Reads documents of invariants.
@Suite struct InvariantDocumentTests {
  /// Returns the invariants of a document that forbids the given calls.
  private static func invariants(never: String) throws(InvariantError) -> [Invariant] {
    let text = #"{"invariants": [{"name": "x", "reason": "y", "never": [\#(never)]}]}"#
    return try InvariantDocument(Array(text.utf8), source: "test.json").invariants
  }

  @Test func `an invariant forbids every call that the core forbids`() throws {
    let space = CallSpace()
    var forbidden = space.nothing
    for invariant in try ShippedFixture.invariants() {
      forbidden = try forbidden.union(invariant.set(in: space))
    }
    for call in PolicyCore.area.keys {
      for architecture in [CallArchitecture.x86, .arm64] {
        guard let number = CallTable.of(architecture).number(of: call) else { continue }
        let set = try space.numbers(number...number).intersection(
          space.architecture(architecture.auditArchitecture)
        )
        #expect(try set.isSubset(of: forbidden), "\(call) on \(architecture)")
      }
    }
    for (call, requirement) in PolicyCore.requirements {
      let number = try #require(CallTable.of(.x86).number(of: call))
      let set = try space.numbers(number...number).intersection(
        space.architecture(CallArchitecture.x86.auditArchitecture)
      )
      #expect(try !set.intersection(forbidden).isEmpty, "\(call): \(requirement)")
      #expect(try !set.isSubset(of: forbidden), "\(call) has harmless arguments: \(requirement)")
    }
  }

  @Test func `conditions restrict when an invariant forbids a call`() throws {
    let space = CallSpace()
    let number = try #require(CallTable.of(.x86).number(of: "socketpair"))
    func contains(_ never: String, _ domain: UInt64) throws -> Bool {
      let set = try #require(try Self.invariants(never: never).first).set(in: space)
      let call = SeccompData(
        architecture: CallArchitecture.x86.auditArchitecture,
        number: number,
        arguments: [domain]
      )
      return set.contains(call)
    }
    let unless = #"{"call": "socketpair", "unless": [{"index": 0, "oneOf": ["AF_UNIX", 7]}]}"#
    #expect(try !contains(unless, 1) && !contains(unless, 7) && contains(unless, 2))
    // The kernel reads only 32 bits of the argument.
    #expect(try !contains(unless, 0x1_0000_0001))
    let when = #"{"call": "socketpair", "when": [{"index": 0, "mask": "0x3", "equals": 1}]}"#
    #expect(try contains(when, 1) && contains(when, 5) && !contains(when, 2))
    #expect(try contains(#""socketpair""#, 1))
  }

  @Test(arguments: [
    (#""sokcet""#, "1:56: unknown system call"),
    (#"{"call": "socket", "wen": []}"#, "unknown key"),
    (#"{"everyCallOf": "vax"}"#, "unknown architecture"), ("7", "an element of never must be an object"),
    (#"{"call": "socket", "when": [{"index": 6, "equals": 0}]}"#, "argument 6 does not exist"),
    (#"{"call": "socket", "when": [{"index": 0, "equals": "AF_NOPE"}]}"#, "is not a valid value"),
    (#"{"call": "socket", "when": [{"index": 0, "mask": 1, "equals": 2}]}"#, "outside the mask"),
    (#"{"call": "socket", "when": [{"index": 0}]}"#, "\"equals\" is missing"), ("", "a nonempty array"),
  ])
  func `an error in a document of invariants has its position`(never: String, message: String) {
    let error = #expect(throws: InvariantError.self) { try Self.invariants(never: never) }
    #expect("\(error.map(String.init(describing:)) ?? "")".contains(message))
  }

  @Test func `rejects duplicate invariant names and malformed documents`() {
    let twice =
      #"{"invariants": [{"name": "x", "reason": "y", "never": ["socket"]}, {"name": "x", "reason": "y", "never": ["bind"]}]}"#
    for text in [twice, "[]", "{", "{}", #"{"invariants": []}"#] {
      #expect(throws: InvariantError.self, "\(text)") {
        try InvariantDocument(Array(text.utf8), source: "test.json")
      }
    }
  }
}
