// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import Policies
import PolicyProof
import SandboxEnforcement
import SandboxPolicy
import SystemCalls
import Testing

/// The shipped policies and invariants.
enum ShippedFixture {
  static let names = ["base", "capture", "strict"]

  /// The parameters of the reporting filters; the value of the mark is arbitrary.
  static let reportingParameters = ReportingParameters(
    launcherCalls: LauncherCalls.names,
    mark: 0x1234_5678_9ABC_DEF0
  )

  /// Returns a shipped policy by name.
  static func policy(_ name: String) throws -> ResolvedPolicy {
    let library = try PolicyLibrary(texts: ShippedPolicies.texts)
    return try #require(try library.policy(named: name))
  }

  /// Returns the invariants of every policy.
  static func invariants() throws -> [Invariant] {
    try InvariantDocument(ShippedPolicies.invariants.text, source: ShippedPolicies.invariants.source)
      .invariants
  }
}

/// Proves the shipped policies.
@Suite struct ShippedProofTests {
  @Test(arguments: ShippedFixture.names)
  func `proves the compiled filter of a shipped policy, alone and with reporting`(name: String)
    throws
  {
    let policy = try ShippedFixture.policy(name)
    let filter = try SeccompCompiler.compile(policy)
    let prover = FilterProver(invariants: try ShippedFixture.invariants(), supervision: .notificationsRefused)
    let alone = prover.prove(
      [try FilterProgram(bytes: filter.instructions)],
      FilterProver.Expectation(PolicySemantics(policy))
    )
    #expect(alone.holds, "\(alone.failures)")
    #expect(alone.claims.count == 1 + prover.invariants.count)
    let pair = ReportingFilters(filter.instructions, mark: ShippedFixture.reportingParameters.mark)
    let together = prover.prove(
      [try FilterProgram(bytes: pair.first), try FilterProgram(bytes: pair.closing)],
      FilterProver.Expectation(PolicySemantics(policy), reporting: ShippedFixture.reportingParameters)
    )
    #expect(together.holds, "\(together.failures)")
  }

  /// `LaunchPlan.Network.handedOn` relies on this property, which is proved for every loaded filter.
  @Test func `every policy forbids all calls that can change a network`() throws {
    let never: Set = [
      "socket", "socketcall", "bind", "listen", "accept", "accept4", "connect", "sendmmsg",
      "recvmmsg", "unshare", "setns", "clone3",
      "io_uring_setup", "io_uring_enter", "io_uring_register", "add_key", "keyctl", "request_key",
      "pidfd_getfd",
      "bpf", "mount",
    ]
    let forbidden = try ShippedFixture.invariants().flatMap(\.forbidden)
    let always = forbidden.compactMap { calls in
      if case .call(let name) = calls.subject, calls.when.isEmpty, calls.unless.isEmpty { name } else { nil }
    }
    #expect(never.subtracting(always).isEmpty, "\(never.subtracting(always))")
    let pairs = forbidden.filter { $0.subject == .call("socketpair") }
    // The corresponding constants are AF_UNIX, and SOCK_STREAM and SOCK_SEQPACKET of SOCK_TYPE_MASK.
    let family = InvariantCondition(index: 0, mask: 0xFFFF_FFFF, values: [1])
    let type = InvariantCondition(index: 1, mask: 0xF, values: [1, 5])
    #expect(pairs.count == 1 && pairs[0].when.isEmpty && pairs[0].unless == [family, type], "\(pairs)")
  }

  @Test(arguments: [
    ("socketpair", [1, 2]), ("socketpair", [1, 3]), ("socketpair", [1, 0x80002]), ("socketpair", [2, 1]),
    ("socketpair", [10, 0x80801]), ("sendto", [3, 0, 0, 0, 0, 16]),
    ("sendto", [3, 0, 0, 0, 0x7FFF_0000, 110]),
    ("sendto", [3, 0, 0, 1]), ("sendto", [3, 0, 0, 0x4001]), ("sendmsg", [3, 0, 1]), ("recvmsg", [3, 0, 1]),
    ("recvfrom", [3, 0, 0, 1]), ("setsockopt", [3, 1, 26]), ("setsockopt", [3, 1, 50]),
    ("setsockopt", [3, 1, 7]), ("setsockopt", [3, 0, 16]), ("getsockopt", [3, 1, 26]), ("sendmmsg", [3]),
  ])
  func `no shipped policy allows a socket to leave the session`(call: String, arguments: [UInt64]) throws {
    for name in ShippedFixture.names {
      let filter = try SeccompCompiler.compile(try ShippedFixture.policy(name))
      let machine = CallArchitecture.native
      let input = SeccompData(
        architecture: machine.auditArchitecture,
        number: try #require(CallTable.of(machine).number(of: call)),
        arguments: arguments
      )
      let verdict = try FilterProgram(bytes: filter.instructions).verdict(for: input)
      #expect(verdict != .allow, "\(name)")
    }
    let forbidden = try ShippedFixture.invariants().flatMap(\.forbidden).filter { $0.subject == .call(call) }
    #expect(!forbidden.isEmpty)
  }

  @Test(arguments: ShippedFixture.names)
  func `the proof fails without the filter that terminates callers of launcher calls`(name: String) throws {
    let policy = try ShippedFixture.policy(name)
    let pair = ReportingFilters(
      try SeccompCompiler.compile(policy).instructions,
      mark: ShippedFixture.reportingParameters.mark
    )
    let proof = FilterProver(invariants: try ShippedFixture.invariants(), supervision: .notificationsRefused)
      .prove(
        [try FilterProgram(bytes: pair.first)],
        FilterProver.Expectation(PolicySemantics(policy), reporting: ShippedFixture.reportingParameters)
      )
    // The policy is violated, and so are invariants that launcher calls break: namespaces, filter listeners,
    // terminal requests.
    #expect(proof.failures.count > 3, "\(proof.failures)")
  }

  @Test func `proves the filter of a session without namespaces`() throws {
    let prover = FilterProver(invariants: try ShippedFixture.invariants(), supervision: .notificationsRefused)
    for signalsAreScoped in [true, false] {
      let policy = try ShippedFixture.policy("base").restricted(signalsAreScoped: signalsAreScoped)
      let filter = try SeccompCompiler.compile(policy)
      let proof = prover.prove(
        [try FilterProgram(bytes: filter.instructions)],
        FilterProver.Expectation(PolicySemantics(policy))
      )
      #expect(proof.holds, "\(proof.failures)")
    }
  }
}
