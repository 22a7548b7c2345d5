// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyInterchange
import SystemCalls
import TestSupport
import Testing

/// Random profiles: what Darkroom says of the JSON, against what libseccomp makes of the rules as runc adds them.
@Suite(.timeLimit(.minutes(20))) struct RandomProfileTests {
  /// The results of both compilers.
  enum Outcome: Equatable {
    case equal
    /// libseccomp refuses the rules, and Darkroom says so.
    case refused
    case different(String)
  }

  /// Compares what both make of one profile.
  private func outcome(_ raw: RawProfile) throws -> Outcome {
    let space = CallSpace()
    let foreign: ForeignProfile
    do {
      foreign = try ForeignProfile(Array(raw.json.utf8), as: .oci, merging: .fixture)
    } catch {
      guard case .conflict = error.mistake else { return .different("\(error)") }
      do { _ = try LibraryCompiler.compile(raw) } catch LibraryCompiler.Refusal.conflict { return .refused }
      return .different("only Darkroom reports a conflict: \(error)")
    }
    let program: FilterBehavior
    do { program = try space.behavior(of: try LibraryCompiler.compile(raw)) } catch LibraryCompiler.Refusal
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
  func `means what libseccomp compiles, or is refused by both`(equalities: Bool) throws {
    var refused = 0
    let count = DifferentialRuns.count(120)
    for index in 0..<count {
      var generator = SeededGenerator(
        seed: DifferentialRuns.seed &* 1_000_003 &+ UInt64(index) &* 2 &+ (equalities ? 1 : 0)
      )
      let raw = RawProfile.random(equalities: equalities, using: &generator)
      switch try outcome(raw) {
      case .equal: break
      case .refused: refused += 1
      case .different(let text): Issue.record("profile \(index): \(text)\n\(raw.json)")
      }
    }
    // Neither kind may crowd out the other.
    #expect(refused < count / 2)
  }
}
