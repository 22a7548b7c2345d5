// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Looks at an extension that was launched for a debugger, and tells the person how to attach.
///
/// The kernel tells nobody but the tracer, so that it has to be looked again and again.
final class DebuggerWatch {
  /// How long between two looks, in nanoseconds.
  private static let interval: UInt64 = 50_000_000

  private let process: Int32
  private let facts: ProcessFacts?
  private let notice: (String) -> Void
  /// When to look next, in ``MonotonicClock`` nanoseconds.
  private(set) var nextMoment: UInt64

  /// Watches a process of this host's pid namespace, which must be stopped or traced just now.
  init(_ process: Int32, notice: @escaping (String) -> Void) {
    self.process = process
    facts = ProcessFacts(process)
    self.notice = notice
    nextMoment = MonotonicClock.now
  }

  /// Looks, if it is time to.
  func look(at now: UInt64) -> DebuggerFinding? {
    guard now >= nextMoment else { return nil }
    nextMoment = now + Self.interval
    guard let tracing else { return .gone }
    if let tracer = tracing.tracer { return .traced(by: tracer) }
    return tracing.isStopped ? .stopped : .running
  }

  private var tracing: ProcessFacts.Tracing? {
    switch facts {
    case .some(let facts): facts.tracing
    case .none: nil
    }
  }

  /// Tells the person.
  func tell(_ news: DebuggerNews) {
    for line in DebuggerGuide.lines(news, process) { notice(line) }
  }
}
