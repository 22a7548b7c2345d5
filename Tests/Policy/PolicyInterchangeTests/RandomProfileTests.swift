// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyInterchange
import SystemCalls
import TestSupport
import Testing

/// Compares Darkroom's reading of random JSON profiles with the program that libseccomp compiles from the
/// same rules, added in the order of runc.
@Suite(.timeLimit(.minutes(20))) struct RandomProfileTests {
  /// The result of a comparison.
  enum Outcome: Equatable {
    case equal
    /// libseccomp rejects the rules, and Darkroom reports the conflict.
    case refused
    case different(String)
  }

  /// Compares the results of Darkroom and libseccomp for one profile.
  private func outcome(_ raw: RawProfile) throws -> Outcome {
    let space = CallSpace()
    let foreign: ForeignProfile
    do {
      foreign = try ForeignProfile(Array(raw.json.utf8), as: .oci, merging: .fixture)
    } catch {
      guard case .conflictingRules = error.mistake else { return .different("\(error)") }
      do { _ = try LibseccompCompiler.compile(raw) } catch LibseccompCompiler.Refusal.conflict {
        return .refused
      }
      return .different("only Darkroom reports a conflict: \(error)")
    }
    let program: FilterBehavior
    do { program = try space.behavior(of: try LibseccompCompiler.compile(raw)) } catch LibseccompCompiler
      .Refusal
      .conflict
    {
      return .different("only libseccomp finds a conflict")
    }
    let meaning = try foreign.behavior(in: space)
    guard let witness = try program.difference(from: meaning).witness() else { return .equal }
    return .different(
      "\(witness): libseccomp \(program.verdict(for: witness)), Darkroom \(meaning.verdict(for: witness))"
    )
  }

  @Test(arguments: [true, false])
  func `a random profile matches libseccomp or is rejected by both`(equalityOnly: Bool) throws {
    var refused = 0
    let count = DifferentialRuns.count(120)
    for index in 0..<count {
      var generator = SeededGenerator(
        seed: DifferentialRuns.seed &* 1_000_003 &+ UInt64(index) &* 2 &+ (equalityOnly ? 1 : 0)
      )
      let raw = RawProfile.random(equalityOnly: equalityOnly, using: &generator)
      switch try outcome(raw) {
      case .equal: break
      case .refused: refused += 1
      case .different(let text): Issue.record("profile \(index): \(text)\n\(raw.json)")
      }
    }
    // More than half of the profiles must compile.
    #expect(refused < count / 2)
  }
}
