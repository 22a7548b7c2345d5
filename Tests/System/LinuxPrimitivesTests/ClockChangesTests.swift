// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LinuxPrimitives

@Suite struct ClockChangesTests {
  @Test func `as long as nobody sets the clock there is no change, and to look for one does not wait`() throws
  {
    let changes = try ClockChanges.make()
    #expect(try Poller.events(of: changes.rawValue, .readable).isEmpty)
    ClockChanges.take(changes)
    #expect(try Poller.events(of: changes.rawValue, .readable).isEmpty)
  }
}
