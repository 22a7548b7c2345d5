// SPDX-License-Identifier: Apache-2.0

/// What is known of a program after some runs of it: which calls it makes, and in which run each was new.
package struct LearningPicture: Sendable, Hashable {
  /// The policy that the program was measured by: its name or the path of its document.
  package var base: String
  /// The digest of that policy: what was learned by another says nothing.
  package var baseDigest: String
  /// The program and its arguments, or the id of an extension.
  package var subject: [String]
  /// The runs, in their order.
  package private(set) var runs: [Run] = []
  /// The kinds of calls, in the order in which they were first seen.
  package private(set) var kinds: [Kind] = []
  /// What was too much to keep.
  package private(set) var crowds: [LearningLedger.Crowd] = []

  /// One run of the program.
  package struct Run: Sendable, Hashable {
    /// When it began, in milliseconds since 1970.
    package var at: Int64
    /// Whether every call was noted, or only those that the policy refuses.
    package var scope: Scope
    /// How it ended, in words.
    package var ending: String
    /// How many calls were noted.
    package var calls: Int

    /// Describes a run.
    package init(at: Int64, scope: Scope, ending: String, calls: Int) {
      self.at = at
      self.scope = scope
      self.ending = ending
      self.calls = calls
    }
  }

  /// Which calls a run noted.
  package enum Scope: String, Sendable, Hashable {
    /// Those that the policy refuses.
    case refusedCalls
    /// Every call.
    case everyCall
  }

  /// A kind of call.
  package struct Kind: Sendable, Hashable {
    /// The call.
    package var call: LearnedCall
    /// How often it was made, in all runs.
    package var count: Int
    /// The run in which it was new, from 1.
    package var firstRun: Int

    /// Describes a kind.
    package init(call: LearnedCall, count: Int, firstRun: Int) {
      self.call = call
      self.count = count
      self.firstRun = firstRun
    }
  }

  /// Nothing is known yet.
  package init(base: String, baseDigest: String, subject: [String]) {
    self.base = base
    self.baseDigest = baseDigest
    self.subject = subject
  }

  /// A picture as it was written down.
  init(
    base: String,
    baseDigest: String,
    subject: [String],
    runs: [Run],
    kinds: [Kind],
    crowds: [LearningLedger.Crowd]
  ) {
    self.init(base: base, baseDigest: baseDigest, subject: subject)
    self.runs = runs
    self.kinds = kinds
    self.crowds = crowds
  }

  /// Adds what a run has shown.
  package mutating func add(_ ledger: LearningLedger, of run: Run) {
    runs.append(run)
    var places: [LearnedCall: Int] = [:]
    for (place, kind) in kinds.enumerated() { places[kind.call] = place }
    var crowded = LearningLedger()
    for crowd in crowds + ledger.crowds { crowded.note(crowd) }
    for entry in ledger.entries {
      if let place = places[entry.call] {
        kinds[place].count += entry.count
      } else if kinds.count < Self.mostKinds {
        kinds.append(Kind(call: entry.call, count: entry.count, firstRun: runs.count))
      } else {
        crowded.note(
          LearningLedger.Crowd(
            call: entry.call.call,
            standing: entry.call.standing,
            bits: Dictionary(entry.call.arguments.map { ($0.index, $0.value) }) { $0 | $1 },
            count: entry.count
          )
        )
      }
    }
    crowds = crowded.crowds
  }

  /// How many kinds all runs together may have.
  static let mostKinds = 2 * LearningLedger.kinds
}

// MARK: - How stable it is

extension LearningPicture {
  /// What was new in a run, from 1.
  package func new(in run: Int) -> [Kind] { kinds.filter { $0.firstRun == run } }

  /// How many runs at the end have brought nothing new that matters: whatever a policy might have to say.
  package var quietRuns: Int {
    let newest = kinds.filter { $0.call.standing != .used }.map(\.firstRun).max() ?? 0
    return runs.count - newest
  }

  /// The kinds of one standing, by the name of the call.
  package func kinds(_ standing: CallStanding) -> [Kind] {
    kinds.filter { $0.call.standing == standing }
      .enumerated().sorted { ($0.element.call.call, $0.offset) < ($1.element.call.call, $1.offset) }
      .map(\.element)
  }

  /// Whether some run has noted every call, so that it can be told what the policy allows in vain.
  package var hasEveryCall: Bool { runs.contains { $0.scope == .everyCall } }
}
