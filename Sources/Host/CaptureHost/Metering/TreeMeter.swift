// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

/// Measures all processes of a session together, by its control group where it has one, and from outside otherwise.
package final class TreeMeter {
  private let root: Int32
  private let group: SessionControlGroup?
  private let limit: Int
  private var judge: TreeJudge
  private var memory: TreeMemory
  /// When to measure next, in ``MonotonicClock`` nanoseconds.
  package private(set) var nextMoment: UInt64

  /// Measures the processes below a session's init.
  init(root: Int32, group: consuming SessionControlGroup?, limits: PolicyLimits, hasSockets: Bool) {
    self.root = root
    self.group = group
    memory = TreeMemory(hasSockets: hasSockets)
    limit = limits.memory
    judge = TreeJudge(memory: limits.memory, tasks: limits.processes, processors: MachineMemory.processors)
    nextMoment = MonotonicClock.now + 10_000_000
  }

  /// Measures if it is time to; the limit that was broken, or nil.
  package func measure(at now: UInt64) -> SessionOutcome.Violation? {
    guard now >= nextMoment else { return nil }
    // Not the time on the clock: a session that spins on every processor must not make the host look less often.
    let began = MonotonicClock.threadTime
    let reading = read()
    let cost = MonotonicClock.threadTime - began
    nextMoment = MonotonicClock.now + judge.interval(after: reading, cost: cost)
    return judge.judge(reading, at: now)
  }

  /// Looks a last time, when every process is gone: the kernel may have been faster than the host.
  func finish() -> SessionOutcome.Violation? {
    group.isSome ? judge.judge(read(), at: MonotonicClock.now) : nil
  }

  /// The highest figures, for the record.
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
        // What the group keeps of files can be taken from it; it is the kernel that says when the limit is broken.
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
  /// Whether there is something.
  fileprivate var isSome: Bool {
    switch self {
    case .some: true
    case .none: false
    }
  }
}
