// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

/// Measures all processes of a session together, by its control group if it has one, otherwise from outside.
package final class TreeMeter {
  private let root: Int32
  private let group: SessionControlGroup?
  private let limit: Int
  private var judge: TreeJudge
  private var memory: TreeMemory
  /// The time of the next measurement, in ``MonotonicClock`` nanoseconds.
  package private(set) var nextMoment: UInt64

  /// Creates a meter of the processes below a session's init.
  init(root: Int32, group: consuming SessionControlGroup?, limits: PolicyLimits, hasSockets: Bool) {
    self.root = root
    self.group = group
    memory = TreeMemory(hasSockets: hasSockets)
    limit = limits.memory
    judge = TreeJudge(memory: limits.memory, tasks: limits.processes, processors: MachineMemory.processors)
    nextMoment = MonotonicClock.now + 10_000_000
  }

  /// Measures if a measurement is due. Returns the limit that was exceeded, or `nil` if there is none.
  package func measure(at now: UInt64) -> SessionOutcome.Violation? {
    guard now >= nextMoment else { return nil }
    // Processor time instead of wall-clock time: a session that occupies every processor must not reduce the
    // rate of the measurements.
    let began = MonotonicClock.threadTime
    let reading = read()
    let cost = MonotonicClock.threadTime - began
    nextMoment = MonotonicClock.now + judge.interval(after: reading, cost: cost)
    return judge.judge(reading, at: now)
  }

  /// Measures a last time after every process has exited, because the kernel may have acted before the host.
  func finish() -> SessionOutcome.Violation? {
    group.isSome ? judge.judge(read(), at: MonotonicClock.now) : nil
  }

  /// The peak values, for the session record.
  var peak: TreeReading {
    var peak = judge.peak
    if let measured = groupPeak { peak.memory = max(peak.memory, measured) }
    return peak
  }

  private func read() -> TreeReading {
    switch group {
    case .some(let group):
      let usage = group.usage
      return TreeReading(
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

  private func count() -> TreeReading {
    guard TreeCensus.isPossible else { return TreeReading(memory: 0, tasks: 0) }
    let census = TreeCensus.take(below: root)
    var bytes = memory.atMost(census)
    if bytes > limit { bytes = memory.exactly(census) }
    return TreeReading(memory: bytes, tasks: census.tasks, isUnsteady: census.missed > 0)
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
