// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import LinuxPrimitives
internal import SandboxLaunch
package import SandboxPolicy
internal import SessionStore
internal import Synchronization

/// The attack battery: makes all attempts under one policy, several at a time.
package struct AttackBattery: Sendable {
  /// The configuration of a battery.
  package struct Configuration: Sendable {
    /// The policy of the sandboxes.
    package var policy: ResolvedPolicy
    package var attempts: [Attempt]
    /// The directory in which the decoys are created.
    package var place: String
    /// Whether harmless attempts are also made outside, to show that they succeed there.
    package var proof: OutsideRuns

    /// Creates a configuration from its parts.
    package init(policy: ResolvedPolicy, attempts: [Attempt], place: String, proof: OutsideRuns) {
      self.policy = policy
      self.attempts = attempts
      self.place = place
      self.proof = proof
    }
  }

  /// The attempts that are also made outside any sandbox.
  package enum OutsideRuns: Sendable {
    /// No attempts.
    case none
    /// The attempts that succeed outside and do no harm there.
    case harmless
  }

  /// The number of concurrent sandboxes.
  private static let workerCount = 4

  /// The sandbox that makes the attempts.
  private let sandbox: ProbeSandbox
  private let configuration: Configuration

  /// Creates the decoys.
  package init(_ program: ProbeProgram, _ configuration: Configuration) throws(AttackError) {
    self.configuration = configuration
    sandbox = ProbeSandbox(program, configuration.policy, try DecoySet(below: configuration.place))
  }

  /// The reason why the attempts were made in restricted sessions, or `nil` if the sandboxes had namespaces.
  package var restriction: String? { sandbox.restriction.map { "\($0.cause)" } }

  /// Makes the attempts, and returns their results in order. A signal ends the battery early.
  package func run(_ signals: HostSignals) throws(AttackError) -> [AttemptResult] {
    let progress = Progress(count: configuration.attempts.count)
    let finished = try Self.system { () throws(SystemCallError) in try EventCounter.make() }
    try withWorkers(Self.workerCount, progress, finished.rawValue) { () throws(AttackError) in
      try Self.wait(for: finished, signals, progress)
    }
    return try progress.results()
  }

  /// Runs `body` while `count` threads make attempts, and joins the threads.
  ///
  /// The last owner of the decoys removes them. Without the join, that could be a worker thread that the exit
  /// of the process terminates early.
  private func withWorkers(
    _ count: Int,
    _ progress: Progress,
    _ finished: Int32,
    _ body: () throws(AttackError) -> Void
  ) throws(AttackError) {
    guard count > 0 else { return try body() }
    let worker = try Self.system { () throws(SystemCallError) in
      try PlainThread.start(name: "attack") {
        self.work(progress)
        // A failed write cannot be reported to any caller.
        try? Descriptor.write([1, 0, 0, 0, 0, 0, 0, 0], toNumber: finished)
      }
    }
    do throws(AttackError) {
      try withWorkers(count - 1, progress, finished, body)
    } catch {
      progress.stop(error)
      worker.join()
      throw error
    }
    worker.join()
  }

  /// Waits until all threads are done. A signal stops them early.
  private static func wait(
    for finished: borrowing Descriptor,
    _ signals: HostSignals,
    _ progress: Progress
  ) throws(AttackError) {
    let raw = finished.rawValue
    var left = UInt64(workerCount)
    while left > 0 {
      let found = try system { () throws(SystemCallError) in
        try Poller.wait([(raw, .readable), (signals.descriptor.rawValue, .readable)])
      }
      if found[1].contains(.readable), let signal = try? signals.next() {
        progress.stop(.interrupted(signal))
      }
      left -= (try? EventCounter.take(finished)) ?? 0
    }
  }

  /// Makes attempts until none are left.
  private func work(_ progress: Progress) {
    while let index = progress.next() {
      let attempt = configuration.attempts[index]
      do throws(AttackError) {
        var result = AttemptEvaluation.evaluate(attempt, try sandbox.attempt(attempt))
        if configuration.proof == .harmless && attempt.isHarmlessOutside {
          result.outside = try outside(attempt)
        }
        progress.finish(index, result)
      } catch { progress.stop(error) }
    }
  }

  /// Makes an attempt outside any sandbox.
  private func outside(_ attempt: Attempt) throws(AttackError) -> AttemptResult.Verdict {
    let arguments = try sandbox.outsideArguments(attempt)
    let result = try Self.system { () throws(SystemCallError) in
      try ChildProgram.run(
        sandbox.program.path,
        arguments,
        input: sandbox.decoys.terminal.rawValue,
        until: MonotonicClock.now + 10_000_000_000
      )
    }
    let run = ProbeRun(status: result.status, text: String(decoding: result.output, as: UTF8.self))
    return AttemptEvaluation.evaluate(attempt, run).verdict
  }

  /// Calls `body`, and converts an error of the system to one of the battery.
  private static func system<Result: ~Copyable>(
    _ body: () throws(SystemCallError) -> Result
  ) throws(AttackError) -> Result {
    do { return try body() } catch { throw .system(error) }
  }
}

/// The progress of a battery, shared by its threads.
private final class Progress: Sendable {
  /// The state that the lock guards.
  private struct State: Sendable {
    /// The index of the next attempt.
    var next = 0
    /// The results; `nil` before an attempt is finished.
    var results: [AttemptResult?]
    /// The reason why the battery ends early, or `nil`.
    var error: AttackError?
  }

  /// The shared state.
  private let state: Mutex<State>

  /// Creates a progress without results.
  init(count: Int) {
    state = Mutex(State(results: Array(repeating: nil, count: count)))
  }

  /// Returns the index of the next attempt, or `nil` if there is none or an error occurred.
  func next() -> Int? {
    state.withLock { state in
      guard state.error == nil, state.next < state.results.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Records the result of an attempt.
  func finish(_ index: Int, _ result: AttemptResult) { state.withLock { $0.results[index] = result } }

  /// Ends the battery. Only the first error is kept.
  func stop(_ error: AttackError) { state.withLock { if $0.error == nil { $0.error = error } } }

  /// Returns all results, or throws the error that ended the battery.
  func results() throws(AttackError) -> [AttemptResult] {
    let state = state.withLock { $0 }
    if let error = state.error { throw error }
    return state.results.compactMap { $0 }
  }
}
