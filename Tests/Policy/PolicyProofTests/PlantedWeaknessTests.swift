// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyProof
import SandboxEnforcement
import SandboxPolicy
import SystemCalls
import Testing

/// Plants weaknesses in a filter. The prover must find each with a call that passes the weak filter.
@Suite struct PlantedWeaknessTests {
  /// A weakness in a filter.
  struct Weakness: Sendable, CustomTestStringConvertible {
    /// A short description.
    var testDescription: String
    /// The instructions that precede the filter.
    var prefix: [FilterInstruction]
    /// Whether a call passes because of the weakness.
    var admits: @Sendable (SeccompData) -> Bool

    /// Creates a weakness from instructions that allow a call if its arguments match; other calls jump to the
    /// end.
    init(
      _ description: String,
      _ prefix: [FilterInstruction],
      _ admits: @escaping @Sendable (SeccompData) -> Bool
    ) {
      testDescription = description
      self.prefix = prefix
      self.admits = admits
    }
  }

  /// Returns an instruction that loads a word of `struct seccomp_data`.
  private static func load(_ offset: UInt32) -> FilterInstruction {
    FilterInstruction(code: 0x20, value: offset)
  }
  /// Returns an instruction that continues if the accumulator has a value, and otherwise skips `distance`
  /// instructions.
  private static func equal(_ value: UInt32, otherwise distance: UInt8) -> FilterInstruction {
    FilterInstruction(code: 0x15, ifFalse: distance, value: value)
  }
  /// An instruction that allows the call.
  private static let allow = FilterInstruction(code: 0x06, value: 0x7FFF_0000)

  /// Returns the number of a call on the native architecture.
  private static func number(_ name: String) -> UInt32 { CallTable.of(.native).number(of: name) ?? .max }

  static let all: [Weakness] = [
    Weakness(
      "socket, if the upper half of its domain has one certain value",
      [load(0), equal(number("socket"), otherwise: 3), load(20), equal(0xDEAD_BEEF, otherwise: 1), allow]
    ) { $0.number == number("socket") && $0.arguments[0] >> 32 == 0xDEAD_BEEF },
    Weakness(
      "clone with a new user namespace, behind a calculation",
      [
        load(0), equal(number("clone"), otherwise: 4), load(16), FilterInstruction(code: 0x74, value: 28),
        FilterInstruction(code: 0x45, ifFalse: 1, value: 1), allow,
      ]
    ) { $0.number == number("clone") && $0.arguments[0] & 0x1000_0000 != 0 },
    Weakness(
      "any call whose number is one too large for the table, by a range",
      [
        load(0), FilterInstruction(code: 0x35, ifFalse: 2, value: 0x3FFF_FFFF),
        equal(0x3FFF_FFFF, otherwise: 1), allow,
      ]
    ) { $0.number == 0x3FFF_FFFF },
    Weakness(
      "i386's socketcall",
      [load(4), equal(0x4000_0003, otherwise: 3), load(0), equal(102, otherwise: 1), allow]
    ) { $0.architecture == 0x4000_0003 && $0.number == 102 },
    Weakness(
      "ptrace, by a sum that overflows",
      [
        load(0), FilterInstruction(code: 0x04, value: 0xFFFF_FF00), FilterInstruction(code: 0x64, value: 1),
        equal((number("ptrace") &+ 0xFFFF_FF00) << 1, otherwise: 3), load(0),
        equal(number("ptrace"), otherwise: 1),
        allow,
      ]
    ) { $0.number == number("ptrace") },
    Weakness(
      "io_uring_setup, if two arguments are the same",
      [
        load(0), equal(number("io_uring_setup"), otherwise: 6), load(40),
        FilterInstruction(code: 0x54, value: 0xFF),
        FilterInstruction(code: 0x07), load(32), FilterInstruction(code: 0x1D, ifFalse: 1), allow,
      ]
    ) { $0.number == number("io_uring_setup") && $0.arguments[2] & 0xFFFF_FFFF == $0.arguments[3] & 0xFF },
    Weakness(
      "ptrace, by a sum of number and argument",
      [
        load(16), FilterInstruction(code: 0x07), load(0), FilterInstruction(code: 0x0C),
        equal(number("ptrace") &+ 7, otherwise: 3), load(0), equal(number("ptrace"), otherwise: 1), allow,
      ]
    ) { $0.number == number("ptrace") && UInt32(truncatingIfNeeded: $0.arguments[0]) == 7 },
    Weakness(
      "mount, if two of its arguments are the same",
      [
        load(0), equal(number("mount"), otherwise: 5), load(40), FilterInstruction(code: 0x07), load(32),
        FilterInstruction(code: 0x1D, ifFalse: 1), allow,
      ]
    ) {
      $0.number == number("mount") && UInt32(truncatingIfNeeded: $0.arguments[2] ^ $0.arguments[3]) == 0
    },
  ]

  @Test(arguments: all)
  func `the prover finds a planted weakness with a call that passes the filter`(weakness: Weakness) throws {
    let policy = try ShippedFixture.policy("capture")
    let original = try FilterProgram(bytes: try SeccompCompiler.compile(policy).instructions)
    let weak = try FilterProgram(weakness.prefix + original.instructions)
    let prover = FilterProver(invariants: try ShippedFixture.invariants(), supervision: .unknown)
    let proof = prover.prove([weak], .init(PolicySemantics(policy)))
    let refuted = proof.claims.compactMap { claim -> FilterProof.Counterexample? in
      if case .refuted(let example) = claim.finding { example } else { nil }
    }
    // The meaning of the policy and at least one invariant are refuted.
    #expect(refuted.count >= 2, "\(proof.failures)")
    for example in refuted {
      #expect(weakness.admits(example.call), "\(example)")
      #expect(weak.verdict(for: example.call) == .allow && !original.verdict(for: example.call).executesCall)
      #expect(example.found == .allow)
    }
    // The difference of the two filters contains the weakness, too.
    let space = CallSpace(.interleaved)
    let newlyPermitted = try space.behavior(of: weak).permitted(under: .unknown)
      .subtracting(space.behavior(of: original).permitted(under: .unknown))
    #expect(weakness.admits(try #require(try newlyPermitted.witness())))
  }

  @Test func `a filter with notifications permits what the supervisor may allow`() throws {
    let notifying = try FilterProgram([FilterInstruction(code: 0x06, value: 0x7FC0_0000)])
    let invariants = try ShippedFixture.invariants()
    let refused = FilterProver(invariants: invariants, supervision: .notificationsRefused).prove([notifying])
    #expect(refused.holds)
    let unknown = FilterProver(invariants: invariants, supervision: .unknown).prove([notifying])
    #expect(unknown.failures.count == invariants.count)
  }

  @Test func `a filter that is stricter than its policy is not proved`() throws {
    let policy = try ShippedFixture.policy("strict")
    let original = try FilterProgram(bytes: try SeccompCompiler.compile(policy).instructions)
    let stricter = try FilterProgram(
      [
        Self.load(0), Self.equal(Self.number("read"), otherwise: 1),
        FilterInstruction(code: 0x06, value: 0x0005_0001),
      ]
        + original.instructions
    )
    let proof = FilterProver(invariants: try ShippedFixture.invariants(), supervision: .unknown).prove(
      [stricter],
      .init(PolicySemantics(policy))
    )
    #expect(proof.failures.map(\.subject) == [.conformance(policy: "strict")])
    guard case .refuted(let example) = proof.failures.first?.finding else {
      Issue.record("\(proof.failures)")
      return
    }
    #expect(example.expected == .allow && example.found == .errno(1))
  }
}
