// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SessionStore

/// The numbers of inputs of a batch, by their state.
package struct BatchCounts: Hashable, Sendable {
  /// The number of all inputs.
  package var total = 0
  /// The number of inputs whose program exited with 0, in this run or an earlier one.
  package var done = 0
  /// The number of failed inputs, including those of earlier runs that are not run again.
  package var failed = 0
  /// The number of inputs with a running session.
  package var running = 0
  /// The number of inputs whose session was interrupted in this run.
  package var interrupted = 0
  /// The number of sessions that ended in this run.
  package var finished = 0

  /// The number of inputs that the next run processes if this run ends now.
  package var left: Int { total - done - failed }

  /// Creates counts of zero.
  package init() {}
}

/// The order of the sessions of a batch: a state machine without side effects.
package struct BatchQueue: Sendable {
  /// The reaction to a failed input.
  package enum FailureReaction: Sendable {
    /// The other inputs are run.
    case keepGoing
    /// No further session is started.
    case stop
  }

  /// The reason for which no further session is started.
  package enum StopReason: Hashable, Sendable {
    /// The host received a signal.
    case signal(Signal)
    /// An input failed, and the reaction is ``FailureReaction/stop``.
    case failure
    /// The host could not run a session, or write the ledger.
    case error
  }

  private var pending: ArraySlice<BatchInput>
  private let reaction: FailureReaction
  /// The numbers of inputs.
  package private(set) var counts = BatchCounts()
  /// The first reason to stop, or `nil` while sessions are started.
  package private(set) var stopReason: StopReason?

  /// Creates the queue of a plan.
  package init(_ plan: BatchPlan, onFailure reaction: FailureReaction) {
    pending = plan.pending[...]
    self.reaction = reaction
    counts.total = plan.total
    counts.done = plan.done
    counts.failed = plan.failed.count + plan.unusable.count
  }

  /// Returns the next input to run, or `nil` if no further session is started.
  package mutating func next() -> BatchInput? {
    guard stopReason == nil, let input = pending.popFirst() else { return nil }
    counts.running += 1
    return input
  }

  /// Notes the end of a session that ``next()`` started.
  package mutating func finish(_ verdict: BatchVerdict) {
    counts.running -= 1
    counts.finished += 1
    switch verdict {
    case .done: counts.done += 1
    case .interrupted: counts.interrupted += 1
    case .failed:
      counts.failed += 1
      if reaction == .stop { stop(.failure) }
    }
  }

  /// Notes that ``next()`` returned an input whose session did not run, and stops.
  package mutating func abandon() {
    counts.running -= 1
    counts.interrupted += 1
    stop(.error)
  }

  /// Starts no further session. The first reason is kept.
  package mutating func stop(_ reason: StopReason) { stopReason = stopReason ?? reason }
}
