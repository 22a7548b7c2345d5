// SPDX-License-Identifier: Apache-2.0

import SessionStore
import Testing

@Suite struct SessionIDTests {
  @Test func `each id is another, and reads its own text`() {
    let ids = (0..<100).map { _ in SessionID.random() }
    #expect(Set(ids).count == 100)
    #expect(ids.allSatisfy { SessionID($0.description) == $0 })
  }

  @Test(arguments: [
    "", "..", "8f14e45f-ceea-467f-a0e6-000000000000/", "8f14e45f-ceea-167f-a0e6-000000000000",
    "8F14E45F-CEEA-467F-A0E6-000000000000", "8f14e45fxceea-467f-a0e6-000000000000",
    "8f14e45f-ceea-467f-c0e6-000000000000", "8f14e45f-ceea-467f-a0e6-00000000000g",
  ]) func `only a random UUID in lower case is an id`(_ text: String) {
    #expect(SessionID(text) == nil)
  }

  @Test func `a random UUID in lower case is an id`() {
    #expect(SessionID("8f14e45f-ceea-467f-a0e6-000000000000") != nil)
  }
}
