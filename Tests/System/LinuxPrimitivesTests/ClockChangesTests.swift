// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LinuxPrimitives

@Suite struct ClockChangesTests {
  @Test func `reports no clock change and does not block while the clock is not set`() throws {
    let changes = try ClockChanges.make()
    #expect(try Poller.events(of: changes.rawValue, .readable).isEmpty)
    ClockChanges.take(changes)
    #expect(try Poller.events(of: changes.rawValue, .readable).isEmpty)
  }
}
