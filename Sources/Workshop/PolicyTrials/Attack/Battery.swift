// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import LinuxPrimitives
package import SandboxPolicy
internal import SessionStore
internal import Synchronization

/// Makes every attempt under one policy, a few at a time.
package struct Battery: Sendable {
  /// What is to be done.
  package struct Order: Sendable {
    /// The policy that the sandboxes have.
    package var policy: ResolvedPolicy
    /// The attempts.
    package var attempts: [Attempt]
    /// The directory that the bait is laid out in.
    package var place: String
    /// Whether harmless attempts are made outside as well, to show that they succeed there.
    package var proof: Proof

    /// Describes an order.
    package init(policy: ResolvedPolicy, attempts: [Attempt], place: String, proof: Proof) {
      self.policy = policy
      self.attempts = attempts
      self.place = place
      self.proof = proof
    }
  }

  /// Whether attempts are made outside as well.
  package enum Proof: Sendable {
    /// None is.
    case none
    /// Those are that succeed there and do no harm.
    case harmless
  }

  /// How many sandboxes there are at a time.
  private static let width = 4

  /// What makes the attempts.
  private let sandbox: ProbeSandbox
  /// What is to be done.
  private let order: Order

  /// Lays out the bait.
  package init(_ program: ProbeProgram, _ order: Order) throws(AttackError) {
    self.order = order
    sandbox = ProbeSandbox(program, order.policy, try Bait(below: order.place))
  }

  /// Makes the attempts and returns what came of each, in their order. A signal ends the battery early.
  package func run(_ signals: HostSignals) throws(AttackError) -> [AttemptResult] {
    let progress = Progress(count: order.attempts.count)
    let finished = try Self.system { () throws(SystemCallError) in try EventCounter.make() }
    try withWorkers(Self.width, progress, finished.rawValue) { () throws(AttackError) in
      try Self.wait(for: finished, signals, progress)
    }
    return try progress.results()
  }

  /// Starts threads that make attempts, does something meanwhile, and joins them: the bait goes with the last of those
  /// who hold it, and that must not be a thread which the end of the process overtakes.
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
        // Nobody is left to tell of a counter that cannot be written.
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

  /// Waits until every thread has nothing left to do; a signal is what makes that come soon.
  private static func wait(
    for finished: borrowing Descriptor,
    _ signals: HostSignals,
    _ progress: Progress
  ) throws(AttackError) {
    let raw = finished.rawValue
    var left = UInt64(width)
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

  /// Makes attempts until there are none left.
  private func work(_ progress: Progress) {
    while let index = progress.next() {
      let attempt = order.attempts[index]
      do throws(AttackError) {
        var result = AttemptVerdict.judge(attempt, try sandbox.attempt(attempt))
        if order.proof == .harmless && attempt.isProof { result.outside = try outside(attempt) }
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
        input: sandbox.bait.terminal.rawValue,
        until: MonotonicClock.now + 10_000_000_000
      )
    }
    let run = ProbeRun(status: result.status, text: String(decoding: result.output, as: UTF8.self))
    return AttemptVerdict.judge(attempt, run).verdict
  }

  /// Does something with the system; what goes wrong ends the battery.
  private static func system<Result: ~Copyable>(
    _ body: () throws(SystemCallError) -> Result
  ) throws(AttackError) -> Result {
    do { return try body() } catch { throw .system(error) }
  }
}

/// Which attempts are made, and what came of them; shared by the threads.
private final class Progress: Sendable {
  /// What the lock guards.
  private struct State: Sendable {
    /// The next attempt that nobody has taken.
    var next = 0
    /// What came of each; nil: nothing yet.
    var results: [AttemptResult?]
    /// Why the battery ends early.
    var error: AttackError?
  }

  /// Shared by the threads.
  private let state: Mutex<State>

  /// Nothing has been made yet.
  init(count: Int) {
    state = Mutex(State(results: Array(repeating: nil, count: count)))
  }

  /// The next attempt; nil: there is none, or something went wrong.
  func next() -> Int? {
    state.withLock { state in
      guard state.error == nil, state.next < state.results.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Notes what came of an attempt.
  func finish(_ index: Int, _ result: AttemptResult) { state.withLock { $0.results[index] = result } }

  /// Ends the battery; the first reason counts.
  func stop(_ error: AttackError) { state.withLock { if $0.error == nil { $0.error = error } } }

  /// Everything.
  func results() throws(AttackError) -> [AttemptResult] {
    let state = state.withLock { $0 }
    if let error = state.error { throw error }
    return state.results.compactMap { $0 }
  }
}
