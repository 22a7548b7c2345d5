// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import SessionStore
import Testing

@Suite struct ProcessTreeLimitCheckerTests {
  static let millisecond: UInt64 = 1_000_000

  @Test func `memory above the limit is a violation at once and memory equal to the limit is not`() {
    var judge = ProcessTreeLimitChecker(memory: 1000, tasks: 10, processors: 2)
    #expect(judge.check(ProcessTreeReading(memory: 1000, tasks: 2), at: 0) == nil)
    let violation = judge.check(ProcessTreeReading(memory: 1001, tasks: 2), at: 1)
    #expect(violation == .init(.memory, detail: "1001 bytes of 1000"))
  }

  @Test func `an out-of-memory kill by the kernel is a violation of the memory limit`() {
    var judge = ProcessTreeLimitChecker(memory: 1000, tasks: 10, processors: 2)
    #expect(judge.check(ProcessTreeReading(memory: 0, tasks: 0, memoryKills: 3), at: 0)?.rule == .memory)
  }

  @Test func `a session at its process limit for half a second is a violation unless it drops below`() {
    var judge = ProcessTreeLimitChecker(memory: 1000, tasks: 10, processors: 2)
    let full = ProcessTreeReading(memory: 0, tasks: 10)
    #expect(judge.check(full, at: 0) == nil)
    #expect(judge.check(full, at: 400 * Self.millisecond) == nil)
    #expect(judge.check(ProcessTreeReading(memory: 0, tasks: 9), at: 450 * Self.millisecond) == nil)
    #expect(judge.check(full, at: 600 * Self.millisecond) == nil)
    #expect(judge.check(full, at: 1099 * Self.millisecond) == nil)
    #expect(judge.check(full, at: 1100 * Self.millisecond)?.rule == .processes)
  }

  @Test func `a control group with refused forks between two readings counts as full`() {
    var judge = ProcessTreeLimitChecker(memory: 1000, tasks: 10, processors: 2)
    var last: SessionOutcome.Violation?
    for step in 0...5 {
      let reading = ProcessTreeReading(memory: 0, tasks: 3, refusedTasks: step + 1)
      last = judge.check(reading, at: UInt64(step) * 100 * Self.millisecond)
      if step < 5 { #expect(last == nil) }
    }
    #expect(last?.rule == .processes)
    var other = ProcessTreeLimitChecker(memory: 1000, tasks: 10, processors: 2)
    for step in 0...20 {
      // The refusal happened long before.
      let reading = ProcessTreeReading(memory: 0, tasks: 3, refusedTasks: 1)
      #expect(other.check(reading, at: UInt64(step) * 100 * Self.millisecond) == nil)
    }
  }

  @Test func `uncountable processes are a violation only if this persists`() {
    var judge = ProcessTreeLimitChecker(memory: 1000, tasks: 10, processors: 2)
    let contended = ProcessTreeReading(memory: 0, tasks: 3, isUnstable: true)
    for time in 0..<2 as Range<UInt64> { #expect(judge.check(contended, at: time) == nil) }
    #expect(judge.check(ProcessTreeReading(memory: 0, tasks: 3), at: 2) == nil)
    for time in 3..<5 as Range<UInt64> { #expect(judge.check(contended, at: time) == nil) }
    #expect(judge.check(contended, at: 5)?.rule == .processes)
  }

  @Test func `shortens the interval as memory approaches the limit and bounds its cost`() {
    var judge = ProcessTreeLimitChecker(memory: 2 << 30, tasks: 256, processors: 2)
    func interval(_ memory: Int, tasks: Int = 2, cost: UInt64 = 0) -> UInt64 {
      judge.interval(after: ProcessTreeReading(memory: memory, tasks: tasks), cost: cost)
    }
    #expect(interval(0) == 250 * Self.millisecond)
    #expect(interval(0, tasks: 200) == 100 * Self.millisecond)
    // A quarter of a gibibyte fills up at eight gibibytes per second.
    #expect(interval((2 << 30) - (256 << 20)) == 31_250_000)
    #expect(interval(2 << 30) == 10 * Self.millisecond)
    // The interval is shorter while memory grows than at a known peak.
    #expect(interval(2 << 30, cost: 5 * Self.millisecond) == 20 * Self.millisecond)
    #expect(judge.check(ProcessTreeReading(memory: 2 << 30, tasks: 2), at: 0) == nil)
    #expect(interval(2 << 30, cost: 5 * Self.millisecond) == 100 * Self.millisecond)
  }

  @Test func `keeps the highest reading`() {
    var judge = ProcessTreeLimitChecker(memory: 1000, tasks: 10, processors: 2)
    for (memory, tasks) in [(5, 1), (9, 7), (2, 8)] {
      _ = judge.check(ProcessTreeReading(memory: memory, tasks: tasks), at: 0)
    }
    #expect(judge.peak == ProcessTreeReading(memory: 9, tasks: 8))
  }
}
