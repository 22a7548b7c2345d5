// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CaptureHost
@testable import DarkroomHost

/// Tests of what an extension can make an embedding program store.
@Suite struct EmbeddedControlTests {
  @Test func `stores a limited number of events if an extension subscribes and unsubscribes forever`() throws
  {
    let core = try SessionCore()
    let control = EmbeddedControl(core)
    for number in 0..<30_000 {
      let snapshot = SessionSnapshot(
        stage: .running,
        hasAnswered: true,
        isCameraOn: true,
        receivesPresses: number.isMultiple(of: 2),
        hasPresented: true,
        frames: number,
        contentDirectory: "/",
        log: []
      )
      control.observe(snapshot, at: 0)
    }
    // The viewfinder, and the reported changes.
    #expect(core.history.current.events.count == 10_001)
  }
}
