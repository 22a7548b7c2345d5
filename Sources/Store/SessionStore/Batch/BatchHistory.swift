// SPDX-License-Identifier: Apache-2.0

/// The last session of each input of a batch, as the ledger describes it.
package struct BatchHistory: Equatable, Sendable {
  /// A session of an input.
  package struct Attempt: Equatable, Sendable {
    /// The input.
    package let input: BatchInput
    /// The ID of the session.
    package let session: SessionID
    /// The result, or `nil` if the ledger does not contain it.
    package var result: BatchResult?
  }

  /// The last session of each input.
  private var attempts: [BatchInput: Attempt] = [:]
  /// The input of each session.
  private var inputs: [SessionID: BatchInput] = [:]

  /// Creates an empty history.
  package init() {}

  /// Adds an entry of the ledger. The result of a session that the ledger does not contain is ignored.
  package mutating func add(_ entry: BatchEntry) {
    switch entry {
    case .started(let input, let session):
      attempts[input] = Attempt(input: input, session: session)
      inputs[session] = input
    case .delivered(let session, let result):
      guard let input = inputs[session], attempts[input]?.session == session else { return }
      attempts[input]?.result = result
    }
  }

  /// Returns the last session of an input, or `nil` if there is none.
  package func attempt(_ input: BatchInput) -> Attempt? { attempts[input] }

  /// The sessions without a result, in the order of their inputs.
  package var unresolved: [Attempt] {
    attempts.values.filter { $0.result == nil }.sorted { $0.input < $1.input }
  }
}

/// The inputs of one run of a batch, by the action that the history requires.
package struct BatchPlan: Equatable, Sendable {
  /// The inputs to run.
  package private(set) var pending: [BatchInput] = []
  /// The number of inputs that earlier runs completed.
  package private(set) var done = 0
  /// The failed sessions of earlier runs. Their inputs are not run again.
  package private(set) var failed: [BatchHistory.Attempt] = []
  /// The inputs that cannot be shown to a session, because their paths are not UTF-8.
  package private(set) var unusable: [BatchInput] = []

  /// The treatment of inputs that failed in an earlier run.
  package enum Failures: Sendable {
    /// The inputs stay failed.
    case kept
    /// The inputs are run again.
    case retried
  }

  /// Creates the plan of a run.
  package init(_ inputs: [BatchInput], _ history: BatchHistory, failures: Failures) {
    for input in inputs {
      guard input.isText else {
        unusable.append(input)
        continue
      }
      let attempt = history.attempt(input)
      switch attempt?.result?.outcome.batchVerdict {
      case .done: done += 1
      case .failed where failures == .kept: if let attempt { failed.append(attempt) }
      case .failed, .interrupted, nil: pending.append(input)
      }
    }
  }

  /// The number of inputs.
  package var total: Int { pending.count + done + failed.count + unusable.count }
}
