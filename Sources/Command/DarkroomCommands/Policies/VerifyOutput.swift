// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import PolicyExplanation
internal import PolicyProof
internal import SandboxAudit

/// The output of proofs of filters.
struct VerifyOutput {
  /// The console to which the output is written.
  let console: Console

  /// Prints the proofs as text: each claim once, with the programs for which it fails.
  func print(_ verifications: [NamedVerification]) {
    for verification in verifications {
      let programs = verification.proofs.programs.map { "\($0.name): \($0.instructions) instructions" }
      console.print("\(TextTable.printable(verification.name)) (\(programs.joined(separator: "; ")))")
      let claims = verification.proofs.programs.first?.proof.claims ?? []
      for (index, claim) in claims.enumerated() {
        let failures = verification.proofs.programs.compactMap { program in
          program.proof.claims[index].finding.failure.map { "\(program.name): \($0)" }
        }
        console.print(TextTable.printable("  \(failures.isEmpty ? "proved" : "FAILED")  \(claim.subject)"))
        for failure in failures { console.print(TextTable.printable("          \(failure)")) }
      }
      for assumption in verification.proofs.programs.flatMap(\.assumptions) {
        console.print("  \(assumption.sentence)")
      }
    }
    let failed = verifications.filter { !$0.proofs.holds }.map(\.name)
    console.print(
      failed.isEmpty
        ? "Everything is proved, for every architecture, number and argument."
        : TextTable.printable("Not proved: \(failed.joined(separator: ", ")).")
    )
  }

  /// Prints the proofs as JSON.
  func printJSON(_ verifications: [NamedVerification]) {
    console.print(
      .array(
        verifications.map { verification in
          [
            "name": .string(verification.name), "proved": .bool(verification.proofs.holds),
            "programs": .array(verification.proofs.programs.map(Self.json)),
          ]
        }
      )
    )
  }

  private static func json(_ program: ProvedPrograms) -> JSONValue {
    .object(
      [
        .init("program", .string(program.name)), .init("instructions", .integer(Int64(program.instructions))),
      ] + program.supervision.json + [
        .init("proved", .bool(program.proof.holds)), .init("claims", .array(program.proof.claims.map(json))),
      ]
    )
  }

  private static func json(_ claim: FilterProof.Claim) -> JSONValue {
    var members: [JSONValue.Member] = []
    switch claim.subject {
    case .conformance(let policy):
      members = [.init("claim", "meaning"), .init("policy", .string(policy))]
    case .invariant(let name, let reason):
      members = [.init("claim", "invariant"), .init("name", .string(name)), .init("reason", .string(reason))]
    }
    switch claim.finding {
    case .proved: members.append(.init("finding", "proved"))
    case .undecided(let error):
      members += [.init("finding", "undecided"), .init("why", .string("\(error)"))]
    case .refuted(let example):
      members += [.init("finding", "refuted"), .init("counterexample", json(example))]
    }
    return .object(members)
  }

  private static func json(_ example: FilterProof.Counterexample) -> JSONValue {
    [
      "call": .string(example.call.text),
      "architecture": .string(hexadecimal(UInt64(example.call.architecture))),
      "number": .integer(Int64(example.call.number)),
      "arguments": .array(example.call.arguments.map { .string(hexadecimal($0)) }),
      "instructionPointer": .string(hexadecimal(example.call.instructionPointer)),
      "expected": example.expected.map { .string("\($0)") } ?? .null, "found": .string("\(example.found)"),
    ]
  }

  private static func hexadecimal(_ value: UInt64) -> String { "0x\(String(value, radix: 16))" }
}
