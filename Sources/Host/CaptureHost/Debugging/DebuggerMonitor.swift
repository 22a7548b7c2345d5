// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Polls the tracing status of an extension that was launched for a debugger, and prints instructions.
///
/// Polling is necessary because the kernel notifies only the tracer of ptrace(2) events.
final class DebuggerMonitor {
  /// The polling interval, in nanoseconds.
  private static let interval: UInt64 = 50_000_000

  private let process: Int32
  private let facts: ProcessFacts?
  private let notice: (String) -> Void
  /// The time of the next poll, in ``MonotonicClock`` nanoseconds.
  private(set) var nextDeadline: UInt64

  /// Monitors a process in the PID namespace of the host. The process must be stopped or traced when this
  /// initializer is called.
  init(_ process: Int32, notice: @escaping (String) -> Void) {
    self.process = process
    facts = ProcessFacts(process)
    self.notice = notice
    nextDeadline = MonotonicClock.now
  }

  /// Returns the tracing status if a poll is due, otherwise `nil`.
  func poll(at now: UInt64) -> DebuggerStatus? {
    guard now >= nextDeadline else { return nil }
    nextDeadline = now + Self.interval
    guard let tracing else { return .exited }
    if let tracer = tracing.tracer { return .traced(by: tracer) }
    return tracing.isStopped ? .stopped : .running
  }

  private var tracing: ProcessFacts.Tracing? {
    switch facts {
    case .some(let facts): facts.tracing
    case .none: nil
    }
  }

  /// Prints the instructions for an event.
  func notify(_ event: DebuggerEvent) {
    for line in DebuggerInstructions.lines(event, process) { notice(line) }
  }
}
