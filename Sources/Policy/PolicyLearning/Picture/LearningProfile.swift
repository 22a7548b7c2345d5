// SPDX-License-Identifier: Apache-2.0

/// The calls that a program made in several runs, with the run in which each kind was first observed.
package struct LearningProfile: Sendable, Hashable {
  /// The policy under which the program ran: its name or the path of its document.
  package var base: String
  /// The digest of that policy. Calls that were observed under another policy cannot be added.
  package var baseDigest: String
  /// The program and its arguments, or the ID of an extension.
  package var subject: [String]
  /// The runs, in their order.
  package private(set) var runs: [Run] = []
  /// The kinds of calls, in the order of their first observation.
  package private(set) var kinds: [Kind] = []
  /// The summaries of the calls that exceed the maximum number of kinds.
  package private(set) var summaries: [LearningLedger.CallSummary] = []

  /// A run of the program.
  package struct Run: Sendable, Hashable {
    /// The start of the run, in milliseconds since 1970.
    package var at: Int64
    /// Whether the run recorded all calls, or only refused ones.
    package var scope: Scope
    /// The outcome of the run, as text.
    package var ending: String
    /// The number of recorded calls.
    package var calls: Int

    /// Creates a run.
    package init(at: Int64, scope: Scope, ending: String, calls: Int) {
      self.at = at
      self.scope = scope
      self.ending = ending
      self.calls = calls
    }
  }

  /// The calls that a run recorded.
  package enum Scope: String, Sendable, Hashable {
    /// The calls that the policy refuses.
    case refusedCalls
    /// All calls.
    case everyCall
  }

  /// A kind of call.
  package struct Kind: Sendable, Hashable {
    /// The kind of call.
    package var call: LearnedCall
    /// The number of calls in all runs.
    package var count: Int
    /// The run in which the kind was first observed, from 1.
    package var firstRun: Int

    /// Creates a kind.
    package init(call: LearnedCall, count: Int, firstRun: Int) {
      self.call = call
      self.count = count
      self.firstRun = firstRun
    }
  }

  /// Creates an empty profile.
  package init(base: String, baseDigest: String, subject: [String]) {
    self.base = base
    self.baseDigest = baseDigest
    self.subject = subject
  }

  /// Creates a profile from its stored members.
  init(
    base: String,
    baseDigest: String,
    subject: [String],
    runs: [Run],
    kinds: [Kind],
    summaries: [LearningLedger.CallSummary]
  ) {
    self.init(base: base, baseDigest: baseDigest, subject: subject)
    self.runs = runs
    self.kinds = kinds
    self.summaries = summaries
  }

  /// Adds the calls of a run.
  package mutating func add(_ ledger: LearningLedger, of run: Run) {
    runs.append(run)
    var places: [LearnedCall: Int] = [:]
    for (place, kind) in kinds.enumerated() { places[kind.call] = place }
    var merged = LearningLedger()
    for summary in summaries + ledger.summaries { merged.note(summary) }
    for entry in ledger.entries {
      if let place = places[entry.call] {
        kinds[place].count += entry.count
      } else if kinds.count < Self.maximumKinds {
        kinds.append(Kind(call: entry.call, count: entry.count, firstRun: runs.count))
      } else {
        merged.note(
          LearningLedger.CallSummary(
            call: entry.call.call,
            status: entry.call.status,
            bits: Dictionary(entry.call.arguments.map { ($0.index, $0.value) }) { $0 | $1 },
            count: entry.count
          )
        )
      }
    }
    summaries = merged.summaries
  }

  /// The maximum number of kinds of all runs together.
  static let maximumKinds = 2 * LearningLedger.maximumKinds
}

// MARK: - Stability

extension LearningProfile {
  /// Returns the kinds that were first observed in a run, from 1.
  package func new(in run: Int) -> [Kind] { kinds.filter { $0.firstRun == run } }

  /// The number of runs since the last one with a new kind of call that the policy does not allow.
  package var stableRuns: Int {
    let newest = kinds.filter { $0.call.status != .used }.map(\.firstRun).max() ?? 0
    return runs.count - newest
  }

  /// Returns the kinds with the given status, ordered by the name of the call.
  package func kinds(_ status: CallStatus) -> [Kind] {
    kinds.filter { $0.call.status == status }
      .enumerated().sorted { ($0.element.call.call, $0.offset) < ($1.element.call.call, $1.offset) }
      .map(\.element)
  }

  /// Whether at least one run recorded all calls. Only then, unused rules of the policy are known.
  package var hasCompleteRun: Bool { runs.contains { $0.scope == .everyCall } }
}
