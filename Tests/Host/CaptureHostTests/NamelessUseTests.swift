// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import Testing

@Suite struct NamelessUseTests {
  @Test func `what was seen counts, whatever others have written or removed meanwhile`() {
    #expect(NamelessUse(seen: 10).bytes(room: 0, largestFile: 100) == 10)
    #expect(NamelessUse(seen: 10).bytes(room: 1000, largestFile: 100) == 10)
  }

  @Test func `a file whose size is not seen counts as the largest, or all that there is room for`() {
    #expect(NamelessUse(seen: 10, unsized: 2).bytes(room: 1000, largestFile: 100) == 210)
    #expect(NamelessUse(seen: 10, unsized: 2).bytes(room: 50, largestFile: 100) == 50)
    #expect(NamelessUse(seen: 10, unsized: 2).bytes(room: 5, largestFile: 100) == 10)
    #expect(NamelessUse(seen: 10, unsized: 2).bytes(room: 50, largestFile: .max) == 50)
    #expect(NamelessUse(seen: .max, unsized: 1).bytes(room: 50, largestFile: 1) == .max)
  }

  @Test func `a process that hides its files may have all that is in use`() {
    #expect(NamelessUse(seen: 10, hidden: .denied).bytes(room: 1000, largestFile: 1) == 1000)
    #expect(NamelessUse(seen: 10, hidden: .denied).bytes(room: 5, largestFile: 1) == 10)
  }

  @Test func `what one of two looks has seen alone does not count`() {
    func confirmed(_ first: NamelessUse, _ second: NamelessUse) -> NamelessUse {
      first.confirmed(by: second, room: 1000, largestFile: 100)
    }
    #expect(confirmed(.init(seen: 10), .init(seen: 0)) == NamelessUse(seen: 0))
    #expect(confirmed(.init(seen: 10), .init(seen: 20)) == NamelessUse(seen: 10))
    #expect(confirmed(.init(seen: 10, unsized: 1), .init(seen: 20)) == NamelessUse(seen: 20))
    #expect(confirmed(.init(seen: 20), .init(seen: 10, unsized: 1)) == NamelessUse(seen: 20))
    // Hiding files from the second measurement has no benefit for the process.
    #expect(confirmed(.init(seen: 10), .init(hidden: .denied)) == NamelessUse(seen: 10))
    #expect(confirmed(.init(seen: 10), .init(hidden: .noTime)) == NamelessUse(seen: 10))
  }

  @Test func `why more counts than was seen is said, and nothing where that is all`() {
    #expect(NamelessUse(seen: 10).doubt(room: 1000, largestFile: 100) == nil)
    #expect(NamelessUse(seen: 10, unsized: 1).doubt(room: 1000, largestFile: 100) == .unsized)
    #expect(NamelessUse(seen: 10, hidden: .noTime).doubt(room: 1000, largestFile: 1) == .noTime)
    #expect(NamelessUse(seen: 10, unsized: 1, hidden: .denied).doubt(room: 1000, largestFile: 1) == .denied)
    #expect(NamelessUse(seen: 10, unsized: 1, hidden: .denied).doubt(room: 10, largestFile: 1) == nil)
  }
}
