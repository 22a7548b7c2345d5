// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// A measurement of all processes of a session.
package struct ProcessTreeReading: Sendable, Hashable {
  /// The memory in bytes.
  package var memory: Int
  /// The number of processes and threads.
  package var tasks: Int
  /// Whether processes were created and exited too fast to be counted.
  package var isUnstable: Bool
  /// The number of times that the kernel killed processes of the session's control group for its memory
  /// limit.
  package var memoryKills: Int
  /// The number of times that the kernel refused to create a process in the control group.
  package var refusedTasks: Int

  /// Creates a reading.
  package init(memory: Int, tasks: Int, isUnstable: Bool = false, memoryKills: Int = 0, refusedTasks: Int = 0)
  {
    self.memory = memory
    self.tasks = tasks
    self.isUnstable = isUnstable
    self.memoryKills = memoryKills
    self.refusedTasks = refusedTasks
  }
}

/// Decides from readings whether a session has exceeded a limit of its process tree, and when the next
/// reading is due.
package struct ProcessTreeLimitChecker: Sendable {
  /// The time for which a session may be at its process limit, in nanoseconds. A session that reaches the
  /// limit briefly is refused a process and continues. A session that stays at the limit is a fork bomb, or
  /// needs a higher limit.
  private static let maximumTimeAtLimit: UInt64 = 500_000_000
  /// The maximum number of consecutive readings that may be unstable.
  private static let maximumUnstableReadings = 3
  /// The bytes of memory that a processor can fill in a second, from which the interval of the readings is
  /// derived.
  private static let bytesPerSecond = 4.0 * 1024 * 1024 * 1024

  private let memory: Int
  private let tasks: Int
  private let processors: Int
  private var atLimitSince: UInt64?
  private var refusedTasks = 0
  private var unstableReadings = 0
  /// The highest values so far.
  package private(set) var peak = ProcessTreeReading(memory: 0, tasks: 0)

  /// Creates a checker with these limits.
  package init(memory: Int, tasks: Int, processors: Int) {
    self.memory = memory
    self.tasks = tasks
    self.processors = processors
  }

  /// Returns the limit that the reading exceeds, or `nil` if it exceeds none.
  package mutating func check(_ reading: ProcessTreeReading, at now: UInt64) -> SessionOutcome.Violation? {
    peak.memory = max(peak.memory, reading.memory)
    peak.tasks = max(peak.tasks, reading.tasks)
    if reading.memoryKills > 0 {
      return .init(.memory, detail: "terminated by the kernel at the limit of \(memory) bytes")
    }
    if reading.memory > memory { return .init(.memory, detail: "\(reading.memory) bytes of \(memory)") }
    unstableReadings = reading.isUnstable ? unstableReadings + 1 : 0
    if unstableReadings >= Self.maximumUnstableReadings {
      return .init(.processes, detail: "processes start and exit too fast to be counted")
    }
    let isFull = reading.tasks >= tasks || reading.refusedTasks > refusedTasks
    refusedTasks = reading.refusedTasks
    guard isFull else {
      atLimitSince = nil
      return nil
    }
    let since = atLimitSince ?? now
    atLimitSince = since
    guard now - since >= Self.maximumTimeAtLimit else { return nil }
    return .init(.processes, detail: "\(min(reading.tasks, tasks)) of \(tasks)")
  }

  /// Returns the interval from a reading to the next one, in nanoseconds. Call this function before the
  /// reading is judged.
  ///
  /// The interval is short if a limit can be reached soon. Reading takes at most a twentieth of one
  /// processor, or a fifth while the memory of the session grows. `cost` is the processor time that the
  /// reading took, in nanoseconds.
  package func interval(after reading: ProcessTreeReading, cost: UInt64) -> UInt64 {
    let room = Double(max(0, memory - reading.memory))
    let reach = room / (Self.bytesPerSecond * Double(processors)) * 1_000_000_000
    let isCrowded = reading.isUnstable || reading.tasks * 2 > tasks
    let wanted = min(UInt64(max(10_000_000, reach)), isCrowded ? 100_000_000 : 250_000_000)
    return max(wanted, cost * (reading.memory > peak.memory ? 4 : 20))
  }
}
