// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DarkroomHost

@Suite(.timeLimit(.minutes(5))) struct WatchedValueTests {
  @Test func `resumes a task when the value meets the condition`() async {
    let value = WatchedValue(0)
    let waiting = Task { await value.next { $0 >= 3 ? $0 : nil } }
    for _ in 0..<3 {
      value.change { $0 += 1 }
      await Task.yield()
    }
    #expect(await waiting.value == 3)
  }

  @Test func `a cancelled task receives nothing, before and while it waits`() async {
    let value = WatchedValue(0)
    for isCancelledFirst in [true, false] {
      let waiting = Task {
        if isCancelledFirst { while !Task.isCancelled { await Task.yield() } }
        return await value.next { $0 > 0 ? $0 : nil }
      }
      if !isCancelledFirst { try? await Task.sleep(for: .milliseconds(10)) }
      waiting.cancel()
      #expect(await waiting.value == nil)
    }
  }

  @Test func `many tasks take each value once`() async {
    let queue = WatchedValue<[Int]>([])
    let taken = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<100 {
        group.addTask { await queue.next { $0.isEmpty ? nil : $0.removeFirst() } }
      }
      for number in 0..<100 { queue.change { $0.append(number) } }
      return await group.reduce(into: Set<Int>()) { taken, number in
        if let number { taken.insert(number) }
      }
    }
    #expect(taken.count == 100)
  }
}
