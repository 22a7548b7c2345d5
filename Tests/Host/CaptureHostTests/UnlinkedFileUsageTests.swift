// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import Testing

@Suite struct UnlinkedFileUsageTests {
  @Test func `counts observed bytes even if other processes write or delete files`() {
    #expect(UnlinkedFileUsage(seen: 10).bytes(room: 0, largestFile: 100) == 10)
    #expect(UnlinkedFileUsage(seen: 10).bytes(room: 1000, largestFile: 100) == 10)
  }

  @Test func `counts a file of unknown size as the largest possible or as all space in use`() {
    #expect(UnlinkedFileUsage(seen: 10, unsized: 2).bytes(room: 1000, largestFile: 100) == 210)
    #expect(UnlinkedFileUsage(seen: 10, unsized: 2).bytes(room: 50, largestFile: 100) == 50)
    #expect(UnlinkedFileUsage(seen: 10, unsized: 2).bytes(room: 5, largestFile: 100) == 10)
    #expect(UnlinkedFileUsage(seen: 10, unsized: 2).bytes(room: 50, largestFile: .max) == 50)
    #expect(UnlinkedFileUsage(seen: .max, unsized: 1).bytes(room: 50, largestFile: 1) == .max)
  }

  @Test func `counts all space in use if a process hides its files`() {
    #expect(UnlinkedFileUsage(seen: 10, hidden: .denied).bytes(room: 1000, largestFile: 1) == 1000)
    #expect(UnlinkedFileUsage(seen: 10, hidden: .denied).bytes(room: 5, largestFile: 1) == 10)
  }

  @Test func `counts only bytes that both of two measurements have found`() {
    func confirmed(_ first: UnlinkedFileUsage, _ second: UnlinkedFileUsage) -> UnlinkedFileUsage {
      first.confirmed(by: second, room: 1000, largestFile: 100)
    }
    #expect(confirmed(.init(seen: 10), .init(seen: 0)) == UnlinkedFileUsage(seen: 0))
    #expect(confirmed(.init(seen: 10), .init(seen: 20)) == UnlinkedFileUsage(seen: 10))
    #expect(confirmed(.init(seen: 10, unsized: 1), .init(seen: 20)) == UnlinkedFileUsage(seen: 20))
    #expect(confirmed(.init(seen: 20), .init(seen: 10, unsized: 1)) == UnlinkedFileUsage(seen: 20))
    // Hiding files from the second measurement has no benefit for the process.
    #expect(confirmed(.init(seen: 10), .init(hidden: .denied)) == UnlinkedFileUsage(seen: 10))
    #expect(confirmed(.init(seen: 10), .init(hidden: .timedOut)) == UnlinkedFileUsage(seen: 10))
  }

  @Test func `reports a reason only if more bytes count than were observed`() {
    #expect(UnlinkedFileUsage(seen: 10).uncertainty(room: 1000, largestFile: 100) == nil)
    #expect(UnlinkedFileUsage(seen: 10, unsized: 1).uncertainty(room: 1000, largestFile: 100) == .unsized)
    #expect(
      UnlinkedFileUsage(seen: 10, hidden: .timedOut).uncertainty(room: 1000, largestFile: 1) == .timedOut
    )
    #expect(
      UnlinkedFileUsage(seen: 10, unsized: 1, hidden: .denied).uncertainty(room: 1000, largestFile: 1)
        == .denied
    )
    #expect(
      UnlinkedFileUsage(seen: 10, unsized: 1, hidden: .denied).uncertainty(room: 10, largestFile: 1) == nil
    )
  }
}
