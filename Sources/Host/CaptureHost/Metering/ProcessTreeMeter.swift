// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

/// Measures all processes of a session together, by its control group if it has one, otherwise from outside.
package final class ProcessTreeMeter {
  private let root: Int32
  private let group: SessionControlGroup?
  private let limit: Int
  private var checker: ProcessTreeLimitChecker
  private var memory: ProcessTreeMemory
  /// The time of the next measurement, in ``MonotonicClock`` nanoseconds.
  package private(set) var nextDeadline: UInt64

  /// Creates a meter of the processes below a session's init.
  init(root: Int32, group: consuming SessionControlGroup?, limits: PolicyLimits, hasSockets: Bool) {
    self.root = root
    self.group = group
    memory = ProcessTreeMemory(hasSockets: hasSockets)
    limit = limits.memory
    checker = ProcessTreeLimitChecker(
      memory: limits.memory,
      tasks: limits.processes,
      processors: MachineMemory.processors
    )
    nextDeadline = MonotonicClock.now + 10_000_000
  }

  /// Measures if a measurement is due. Returns the limit that was exceeded, or `nil` if there is none.
  package func measure(at now: UInt64) -> SessionOutcome.Violation? {
    guard now >= nextDeadline else { return nil }
    // Processor time instead of wall-clock time: a session that occupies every processor must not reduce the
    // rate of the measurements.
    let began = MonotonicClock.threadTime
    let reading = read()
    let cost = MonotonicClock.threadTime - began
    nextDeadline = MonotonicClock.now + checker.interval(after: reading, cost: cost)
    return checker.check(reading, at: now)
  }

  /// Measures a last time after every process has exited, because the kernel may have acted before the host.
  func finish() -> SessionOutcome.Violation? {
    group.isSome ? checker.check(read(), at: MonotonicClock.now) : nil
  }

  /// The peak values, for the session record.
  var peak: ProcessTreeReading {
    var peak = checker.peak
    if let measured = groupPeak { peak.memory = max(peak.memory, measured) }
    return peak
  }

  private func read() -> ProcessTreeReading {
    switch group {
    case .some(let group):
      let usage = group.usage
      return ProcessTreeReading(
        // The memory use of a group includes reclaimable page cache, so only the kernel decides whether the
        // limit is exceeded.
        memory: 0,
        tasks: usage.tasks,
        memoryKills: usage.memoryKills,
        refusedTasks: usage.refusedTasks
      )
    case .none: return count()
    }
  }

  private func count() -> ProcessTreeReading {
    guard ProcessTreeCensus.isPossible else { return ProcessTreeReading(memory: 0, tasks: 0) }
    let census = ProcessTreeCensus.take(below: root)
    var bytes = memory.upperBound(census)
    if bytes > limit { bytes = memory.exactBytes(census) }
    return ProcessTreeReading(memory: bytes, tasks: census.tasks, isUnstable: census.missedProcesses > 0)
  }

  private var groupPeak: Int? {
    switch group {
    case .some(let group): group.peakMemory
    case .none: nil
    }
  }
}

extension Optional where Wrapped: ~Copyable {
  /// Whether the optional has a value.
  fileprivate var isSome: Bool {
    switch self {
    case .some: true
    case .none: false
    }
  }
}
