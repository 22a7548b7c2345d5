// SPDX-License-Identifier: Apache-2.0

import Policies
import PolicyLint
import SandboxPolicy
import Testing

/// Lints chains of documents: first the policy, then the documents that it extends.
enum LintFixture {
  /// Returns the findings in the policy of the first text; the other texts are in the library.
  static func findings(
    _ texts: String...,
    machine: MachineEvidence = .unknown
  ) throws -> [LintFinding] {
    try findings(texts, machine: machine)
  }

  /// Returns the findings in the policy of the first text.
  static func findings(_ texts: [String], machine: MachineEvidence) throws -> [LintFinding] {
    let documents = try texts.enumerated().map { try PolicyParser.parse($1, source: "\($0).json") }
    let shipped = try ShippedPolicies.texts.map { try PolicyParser.parse($0.text, source: $0.source) }
    let policy = try PolicyLibrary(shipped + documents.reversed()).resolve(documents[0])
    return PolicyLinter.findings(in: policy, machine: machine)
  }

  /// Returns the findings of one rule in a policy that has the given members and no parent.
  static func findings(
    of rule: String,
    in members: String,
    machine: MachineEvidence = .unknown
  ) throws -> [LintFinding] {
    try findings(#"{"name":"own","description":"A test.",\#(members)}"#, machine: machine).filter {
      $0.rule.id == rule
    }
  }
}

/// A deterministic generator (SplitMix64), so that failures are reproducible.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator with a seed.
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
