// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import LinuxPrimitives
import PolicyInterchange
import SandboxEnforcement
import SandboxPolicy
import SystemCalls
import TestSupport
import Testing

/// Compares Darkroom's reading of minijail policies with the programs that libminijail compiles.
@Suite(.timeLimit(.minutes(20)), .enabled(if: MinijailLibrary.folder != nil, "libminijail is not installed"))
struct MinijailAgreementTests {
  /// Returns a call that the two programs answer differently, or `nil` if they are equal.
  private func disagreement(_ text: String) throws -> String? {
    let space = CallSpace()
    let program = try #require(try MinijailLibrary.compile(text), "libminijail refuses:\n\(text)")
    let compiled = try space.behavior(of: program)
    let meaning = try MinijailProfile(text: text).profile.behavior(in: space)
    guard let witness = try compiled.difference(from: meaning).witness() else { return nil }
    return
      "\(witness): libminijail \(compiled.verdict(for: witness)), Darkroom \(meaning.verdict(for: witness))\n\(text)"
  }

  @Test func `random minijail policies match libminijail`() throws {
    for index in 0..<DifferentialRuns.count(100) {
      var generator = SeededGenerator(seed: DifferentialRuns.seed &* 7_000_003 &+ UInt64(index))
      let text = RandomMinijailPolicy.text(using: &generator)
      if let difference = try disagreement(text) { Issue.record("policy \(index): \(difference)") }
    }
  }

  @Test func `libminijail rejects everything that Darkroom rejects`() throws {
    for text in [
      "read", "read: arg0 ~ 1", "read: arg0 == NO_SUCH_NAME", "read: maybe", "read: 1 1", "raed: 1",
    ] {
      #expect(try MinijailLibrary.compile(text + "\n") == nil, "\(text)")
    }
  }

  @Test(arguments: ["base", "capture", "strict"])
  func `libminijail accepts an exported policy with the meaning that the export reports`(name: String) throws
  {
    let policy = try shipped(name)
    let filter = try SeccompCompiler.compile(policy).instructions
    let export = try PolicyExport(policy, as: .minijail, filter: filter, merging: .fixture)
    let text = String(decoding: export.contents, as: UTF8.self)
    let program = try #require(try MinijailLibrary.compile(text), "libminijail refuses the export")
    #expect(try disagreement(text) == nil)
    // The program allows nothing that the policy refuses, and the export reports what the program refuses in
    // addition.
    let space = CallSpace()
    let original = try CallProfile(policy).behavior(in: space)
    let result = try space.behavior(of: program)
    let losses = try AllowanceComparison(
      original: original,
      under: .unknown,
      result: result,
      unreadBitsConsequence: .stricter
    ).losses()
    #expect(losses.allSatisfy { $0.consequence == .stricter && export.losses.contains($0) }, "\(losses)")
  }

  @Test(arguments: ["base", "capture", "strict"])
  func `the exporter predicts the length of the program that libminijail generates`(name: String) throws {
    let export = try MinijailWriter.write(try shipped(name))
    let program = try #require(try MinijailLibrary.compile(export.text))
    #expect(program.instructions.count == export.instructions)
    #expect(program.instructions.count <= MinijailWriter.maximumInstructions)
  }
}
