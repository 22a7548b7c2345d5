// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import SessionStore
import Testing

@Suite struct TreeJudgeTests {
  static let millisecond: UInt64 = 1_000_000

  @Test func `more memory than allowed is a violation at once, and exactly as much is none`() {
    var judge = TreeJudge(memory: 1000, tasks: 10, processors: 2)
    #expect(judge.judge(TreeReading(memory: 1000, tasks: 2), at: 0) == nil)
    let violation = judge.judge(TreeReading(memory: 1001, tasks: 2), at: 1)
    #expect(violation == .init(.memory, detail: "1001 bytes of 1000"))
  }

  @Test func `what the kernel has ended for its memory is a violation of that limit`() {
    var judge = TreeJudge(memory: 1000, tasks: 10, processors: 2)
    #expect(judge.judge(TreeReading(memory: 0, tasks: 0, memoryKills: 3), at: 0)?.rule == .memory)
  }

  @Test func `a session that has all its processes for half a second is ended, and one that lets go is not`()
  {
    var judge = TreeJudge(memory: 1000, tasks: 10, processors: 2)
    let full = TreeReading(memory: 0, tasks: 10)
    #expect(judge.judge(full, at: 0) == nil)
    #expect(judge.judge(full, at: 400 * Self.millisecond) == nil)
    #expect(judge.judge(TreeReading(memory: 0, tasks: 9), at: 450 * Self.millisecond) == nil)
    #expect(judge.judge(full, at: 600 * Self.millisecond) == nil)
    #expect(judge.judge(full, at: 1099 * Self.millisecond) == nil)
    #expect(judge.judge(full, at: 1100 * Self.millisecond)?.rule == .processes)
  }

  @Test func `a group that was refused processes between two readings counts as full`() {
    var judge = TreeJudge(memory: 1000, tasks: 10, processors: 2)
    var last: SessionOutcome.Violation?
    for step in 0...5 {
      let reading = TreeReading(memory: 0, tasks: 3, refusedTasks: step + 1)
      last = judge.judge(reading, at: UInt64(step) * 100 * Self.millisecond)
      if step < 5 { #expect(last == nil) }
    }
    #expect(last?.rule == .processes)
    var other = TreeJudge(memory: 1000, tasks: 10, processors: 2)
    for step in 0...20 {
      // The refusal happened long before.
      let reading = TreeReading(memory: 0, tasks: 3, refusedTasks: 1)
      #expect(other.judge(reading, at: UInt64(step) * 100 * Self.millisecond) == nil)
    }
  }

  @Test func `processes that cannot be counted are a violation when that lasts`() {
    var judge = TreeJudge(memory: 1000, tasks: 10, processors: 2)
    let unsteady = TreeReading(memory: 0, tasks: 3, isUnsteady: true)
    for time in 0..<2 as Range<UInt64> { #expect(judge.judge(unsteady, at: time) == nil) }
    #expect(judge.judge(TreeReading(memory: 0, tasks: 3), at: 2) == nil)
    for time in 3..<5 as Range<UInt64> { #expect(judge.judge(unsteady, at: time) == nil) }
    #expect(judge.judge(unsteady, at: 5)?.rule == .processes)
  }

  @Test func `the next reading comes before the memory can be full, and costs little`() {
    var judge = TreeJudge(memory: 2 << 30, tasks: 256, processors: 2)
    func interval(_ memory: Int, tasks: Int = 2, cost: UInt64 = 0) -> UInt64 {
      judge.interval(after: TreeReading(memory: memory, tasks: tasks), cost: cost)
    }
    #expect(interval(0) == 250 * Self.millisecond)
    #expect(interval(0, tasks: 200) == 100 * Self.millisecond)
    // A quarter of a gibibyte fills up at eight gibibytes per second.
    #expect(interval((2 << 30) - (256 << 20)) == 31_250_000)
    #expect(interval(2 << 30) == 10 * Self.millisecond)
    // The interval is shorter while memory grows than at a known peak.
    #expect(interval(2 << 30, cost: 5 * Self.millisecond) == 20 * Self.millisecond)
    #expect(judge.judge(TreeReading(memory: 2 << 30, tasks: 2), at: 0) == nil)
    #expect(interval(2 << 30, cost: 5 * Self.millisecond) == 100 * Self.millisecond)
  }

  @Test func `the highest reading is remembered`() {
    var judge = TreeJudge(memory: 1000, tasks: 10, processors: 2)
    for (memory, tasks) in [(5, 1), (9, 7), (2, 8)] {
      _ = judge.judge(TreeReading(memory: memory, tasks: tasks), at: 0)
    }
    #expect(judge.peak == TreeReading(memory: 9, tasks: 8))
  }
}
