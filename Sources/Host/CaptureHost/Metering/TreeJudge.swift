// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// What was measured of all processes of a session at one moment.
package struct TreeReading: Sendable, Hashable {
  /// Bytes of memory.
  package var memory: Int
  /// Processes and threads.
  package var tasks: Int
  /// Whether processes came and went too fast to be counted.
  package var isUnsteady: Bool
  /// How often the kernel has ended processes of the session's control group for its memory.
  package var memoryKills: Int
  /// How often the kernel has refused the control group another process.
  package var refusedTasks: Int

  /// Makes a reading.
  package init(memory: Int, tasks: Int, isUnsteady: Bool = false, memoryKills: Int = 0, refusedTasks: Int = 0)
  {
    self.memory = memory
    self.tasks = tasks
    self.isUnsteady = isUnsteady
    self.memoryKills = memoryKills
    self.refusedTasks = refusedTasks
  }
}

/// Decides from readings whether a session has broken a limit of the whole tree, and when to read again.
package struct TreeJudge: Sendable {
  /// How long a session may have all the processes that it may, in nanoseconds. One that reaches its limit for a moment
  /// is refused a process and can go on; one that stays there is a fork bomb, or needs a higher limit.
  private static let longestFull: UInt64 = 500_000_000
  /// How often in a row a session may be too busy to be counted.
  private static let mostUnsteady = 3
  /// The bytes of memory that a processor fills in a second at most; from it follows how soon a limit can be broken.
  private static let bytesPerSecond = 4.0 * 1024 * 1024 * 1024

  private let memory: Int
  private let tasks: Int
  private let processors: Int
  private var fullSince: UInt64?
  private var refusedTasks = 0
  private var unsteady = 0
  /// The highest reading so far.
  package private(set) var peak = TreeReading(memory: 0, tasks: 0)

  /// Judges by these limits.
  package init(memory: Int, tasks: Int, processors: Int) {
    self.memory = memory
    self.tasks = tasks
    self.processors = processors
  }

  /// The limit that was broken, or nil.
  package mutating func judge(_ reading: TreeReading, at now: UInt64) -> SessionOutcome.Violation? {
    peak.memory = max(peak.memory, reading.memory)
    peak.tasks = max(peak.tasks, reading.tasks)
    if reading.memoryKills > 0 {
      return .init(.memory, detail: "the kernel ended it at its limit of \(memory) bytes")
    }
    if reading.memory > memory { return .init(.memory, detail: "\(reading.memory) bytes of \(memory)") }
    unsteady = reading.isUnsteady ? unsteady + 1 : 0
    if unsteady >= Self.mostUnsteady {
      return .init(.processes, detail: "they come and go too fast to be counted")
    }
    let isFull = reading.tasks >= tasks || reading.refusedTasks > refusedTasks
    refusedTasks = reading.refusedTasks
    guard isFull else {
      fullSince = nil
      return nil
    }
    let since = fullSince ?? now
    fullSince = since
    guard now - since >= Self.longestFull else { return nil }
    return .init(.processes, detail: "\(min(reading.tasks, tasks)) of \(tasks)")
  }

  /// How long after a reading, which is not judged yet, the next one is due, in nanoseconds: soon where a limit can be
  /// broken soon, and never so often that reading takes more than a twentieth of one processor, or a fifth as long as the
  /// session has more memory each time. `cost` is the processor time that it took.
  package func interval(after reading: TreeReading, cost: UInt64) -> UInt64 {
    let room = Double(max(0, memory - reading.memory))
    let reach = room / (Self.bytesPerSecond * Double(processors)) * 1_000_000_000
    let isCrowded = reading.isUnsteady || reading.tasks * 2 > tasks
    let wanted = min(UInt64(max(10_000_000, reach)), isCrowded ? 100_000_000 : 250_000_000)
    return max(wanted, cost * (reading.memory > peak.memory ? 4 : 20))
  }
}
