// SPDX-License-Identifier: Apache-2.0

import SessionStore
import Testing

@Suite struct SessionIDTests {
  @Test func `random session IDs are unique and survive a round trip through text`() {
    let ids = (0..<100).map { _ in SessionID.random() }
    #expect(Set(ids).count == 100)
    #expect(ids.allSatisfy { SessionID($0.description) == $0 })
  }

  @Test(arguments: [
    "", "..", "8f14e45f-ceea-467f-a0e6-000000000000/", "8f14e45f-ceea-167f-a0e6-000000000000",
    "8F14E45F-CEEA-467F-A0E6-000000000000", "8f14e45fxceea-467f-a0e6-000000000000",
    "8f14e45f-ceea-467f-c0e6-000000000000", "8f14e45f-ceea-467f-a0e6-00000000000g",
  ]) func `rejects texts that are not lowercase version 4 UUIDs`(_ text: String) {
    #expect(SessionID(text) == nil)
  }

  @Test func `accepts a lowercase version 4 UUID`() {
    #expect(SessionID("8f14e45f-ceea-467f-a0e6-000000000000") != nil)
  }
}
