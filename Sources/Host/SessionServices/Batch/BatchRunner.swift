// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import LinuxPrimitives
package import SessionStore
internal import Synchronization

/// An event of a batch.
package enum BatchEvent: Sendable {
  /// A session of an input starts.
  case started(BatchInput, SessionID)
  /// A session has ended, and its content is migrated.
  case finished(BatchInput, SessionReport)
  /// A message for the user.
  case notice(String)
  /// The interval of progress reports has passed.
  case progress
}

/// The end of a run of a batch.
package struct BatchEnding: Sendable {
  /// The numbers of inputs.
  package var counts: BatchCounts
  /// The reason for which sessions were not started, or `nil` if all were.
  package var stopReason: BatchQueue.StopReason?
}

/// Runs the sessions of a batch on several threads.
///
/// Each thread runs one session at a time. The ledger contains the ID of a session before the session exists,
/// and the result after the content is migrated.
package final class BatchRunner: Sendable {
  private let task: BatchTask
  private let ledger: BatchLedger
  private let journal: SystemJournal?
  private let state: Mutex<State>
  /// Readable when there are events.
  private let event: HeldDescriptor
  /// The number of unreported events at which no further session is started.
  private static let maximumEvents = 256

  /// The state that the threads share.
  private struct State {
    var queue: BatchQueue
    /// The events that were not reported yet.
    var events: [BatchEvent] = []
    /// The number of running threads.
    var threads = 0
    /// The first error.
    var error: BatchError?
  }

  /// A thread's source of signals, and the end through which the runner sends them.
  private struct Relay {
    let signals: HostSignals
    let sender: HeldDescriptor

    init() throws(SystemCallError) {
      let pipe = try Pipe.make()
      let receiver = try pipe.readEnd.duplicate()
      try receiver.setNonBlocking()
      sender = HeldDescriptor(pipe.takeWriteEnd())
      try sender.descriptor.setNonBlocking()
      signals = HostSignals(relayedBy: receiver)
    }
  }

  /// Creates a runner. `journal` is the system journal that also receives each session.
  package init(
    _ task: BatchTask,
    _ ledger: BatchLedger,
    _ queue: BatchQueue,
    journal: SystemJournal?
  ) throws(BatchError) {
    (self.task, self.ledger, self.journal) = (task, ledger, journal)
    state = Mutex(State(queue: queue))
    do { event = HeldDescriptor(try EventCounter.make()) } catch { throw .host(error) }
  }

  /// The number of sessions that run at a time if the user has not chosen another one: that of the processors.
  package static var defaultJobs: Int {
    max(1, ThreadContext.processors?.reduce(0) { $0 + $1.nonzeroBitCount } ?? 1)
  }

  /// Opens the ledger of a batch.
  ///
  /// - Throws: ``BatchError/busy(name:)`` if another process has opened the ledger,
  ///   ``BatchError/differentCommand(_:)`` if it belongs to another definition, or ``BatchError/store(_:)``.
  package static func open(
    _ definition: BatchDefinition,
    in root: StateRoot
  ) throws(BatchError) -> (BatchLedger, BatchHistory) {
    let opening: BatchLedger.Opening
    do throws(StoreError) { opening = try BatchLedger.open(definition, in: root) } catch {
      throw .store(error)
    }
    switch opening {
    case .opened(let ledger, let history): return (ledger, history)
    case .busy: throw .busy(name: definition.name)
    case .different(let other): throw .differentCommand(other)
    }
  }

  /// Runs all sessions and returns when the last one is migrated.
  ///
  /// - Parameters:
  ///   - jobs: The maximum number of sessions at a time.
  ///   - signals: The signals that stop the batch. Running sessions are dismissed and migrated.
  ///   - interval: The interval of ``BatchEvent/progress``, in nanoseconds.
  ///   - report: Receives the events on the calling thread.
  ///
  /// - Returns: The numbers of inputs, and the reason for which sessions were not started.
  ///
  /// - Throws: The first error after which no session was started. All sessions have ended.
  package func run(
    jobs: Int,
    until signals: HostSignals,
    interval: UInt64,
    _ report: (BatchEvent, BatchCounts) -> Void
  ) throws(BatchError) -> BatchEnding {
    do throws(SystemCallError) {
      var relays: [Relay] = []
      for _ in 0..<jobs {
        relays.append(try Relay())
        try startThread(relays[relays.count - 1].signals)
      }
      try relayEvents(signals, relays, interval, report)
    } catch {
      stop(.error)
      waitForThreads()
      throw .host(error)
    }
    let (queue, error) = state.withLock { ($0.queue, $0.error) }
    if let error { throw error }
    return BatchEnding(counts: queue.counts, stopReason: queue.stopReason)
  }

  /// Reports events and passes signals on until all threads have ended.
  private func relayEvents(
    _ signals: HostSignals,
    _ relays: [Relay],
    _ interval: UInt64,
    _ report: (BatchEvent, BatchCounts) -> Void
  ) throws(SystemCallError) {
    var deadline = MonotonicClock.now + interval
    while true {
      _ = try EventCounter.take(event.descriptor)
      let (events, counts, threads) = state.withLock { state in
        defer { state.events = [] }
        return (state.events, state.queue.counts, state.threads)
      }
      for event in events { report(event, counts) }
      if threads == 0 { return }
      if MonotonicClock.now >= deadline {
        report(.progress, counts)
        deadline = MonotonicClock.now + interval
      }
      _ = try Poller.wait(
        [(signals.descriptor.rawValue, .readable), (event.rawValue, .readable)],
        until: deadline
      )
      while let signal = try signals.next() {
        stop(.signal(signal))
        // Sessions are dismissed whatever the signal is: SIGINT would be passed to the program, which decides its
        // effect. A full pipe already contains a signal.
        let byte = [UInt8(truncatingIfNeeded: Signal.terminate.rawValue)]
        for relay in relays { _ = try? relay.sender.descriptor.write(byte[...]) }
      }
    }
  }

  private func stop(_ reason: BatchQueue.StopReason) { state.withLock { $0.queue.stop(reason) } }

  private func waitForThreads() {
    while state.withLock({ $0.threads }) > 0 { MonotonicClock.sleep(milliseconds: 10) }
  }

  private func startThread(_ signals: HostSignals) throws(SystemCallError) {
    state.withLock { $0.threads += 1 }
    do throws(SystemCallError) {
      _ = try PlainThread.start(name: "batch") {
        self.runSessions(signals)
        self.change { $0.threads -= 1 }
      }
    } catch {
      state.withLock { $0.threads -= 1 }
      throw error
    }
  }

  /// Changes the state and wakes the thread that reports events.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    try? EventCounter.add(to: event.descriptor)
  }
}

// MARK: - The threads of the sessions

extension BatchRunner {
  /// Runs sessions on the calling thread until the queue has no further input.
  private func runSessions(_ signals: HostSignals) {
    let runner = SessionRunner(stateRoot: task.app.root, signals: signals, journal: journal)
    while let input = nextInput() {
      do throws(BatchError) {
        let report = try runSession(input, runner)
        change { state in
          state.queue.finish(report.record.outcome.batchVerdict)
          state.events.append(.finished(input, report))
        }
      } catch {
        change { state in
          state.queue.abandon()
          state.error = state.error ?? error
        }
      }
    }
  }

  /// Returns the next input to run, or `nil` if no further session is started.
  ///
  /// Waits while many events are unreported: each finished session has the end of its output in memory, and a slow
  /// reader of the reports must not make these accumulate.
  private func nextInput() -> BatchInput? {
    while state.withLock({ $0.events.count >= Self.maximumEvents && $0.queue.stopReason == nil }) {
      MonotonicClock.sleep(milliseconds: 10)
    }
    return state.withLock { $0.queue.next() }
  }

  private func runSession(_ input: BatchInput, _ runner: SessionRunner) throws(BatchError) -> SessionReport {
    let session = SessionID.random()
    var request = task.request(input, session)
    request.notice = { text in self.change { $0.events.append(.notice(text)) } }
    // Before the session exists, so that the next run finds the session of a host that dies.
    do throws(StoreError) { try ledger.append(.started(input, session)) } catch { throw .store(error) }
    change { $0.events.append(.started(input, session)) }
    let report: SessionReport
    do throws(SessionError) { report = try runner.run(request, control: NoControl()) } catch {
      throw .session(input, error)
    }
    let result = BatchResult(report.record.outcome, lastLine: Self.lastLine(report.outputTail))
    do throws(StoreError) { try ledger.append(.delivered(session, result)) } catch { throw .store(error) }
    return report
  }

  /// The maximum length of the line of output that the ledger keeps, in bytes.
  private static let maximumLine = 200

  /// Returns the last line of a program's output that is not blank, or an empty string.
  package static func lastLine(_ output: String) -> String {
    let lines = output.split(whereSeparator: \.isNewline)
    guard let last = lines.last(where: { !$0.allSatisfy(\.isWhitespace) }) else { return "" }
    return String(decoding: last.utf8.suffix(maximumLine), as: UTF8.self)
  }
}
