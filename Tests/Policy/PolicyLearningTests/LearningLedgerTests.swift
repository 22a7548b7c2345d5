// SPDX-License-Identifier: Apache-2.0

import JSONText
import PolicyLearning
import Testing

/// Records calls in each run.
@Suite struct LearningLedgerTests {
  private static func call(_ name: String, _ value: UInt32) -> LearnedCall {
    LearnedCall(call: name, standing: .needed, arguments: [.init(index: 1, value: value)])
  }

  @Test func `calls that are alike are counted`() {
    var ledger = LearningLedger()
    for _ in 0..<5 { ledger.note(Self.call("ioctl", 7)) }
    #expect(ledger.entries == [.init(call: Self.call("ioctl", 7), count: 5)])
    #expect(ledger.total == 5 && ledger.crowds.isEmpty)
  }

  @Test func `what is kept is bounded, and what is not is counted and its bits are known`() {
    var ledger = LearningLedger()
    for value in 0..<UInt32(10_000) { ledger.note(Self.call("ioctl", value)) }
    #expect(ledger.entries.count == LearningLedger.kindsOfOneCall)
    #expect(ledger.crowds.map(\.count) == [10_000 - LearningLedger.kindsOfOneCall])
    #expect(ledger.crowds.first?.bits == [1: 0x3FFF])
    // A flood of one call does not displace another call.
    ledger.note(Self.call("prctl", 1))
    #expect(ledger.entries.last?.call.call == "prctl")
    #expect(ledger.total == 10_001)
  }

  @Test func `a flood of every kind of call is bounded, too`() {
    var ledger = LearningLedger()
    for name in 0..<500 {
      for value in 0..<UInt32(100) { ledger.note(Self.call("call\(name)", value)) }
    }
    #expect(ledger.entries.count <= LearningLedger.kinds + 500)
    #expect(Set(ledger.entries.map(\.call.call)).count == 500)
  }

  @Test func `a picture says in which run something was new, and how long nothing has been`() throws {
    let sync = try LearningFixture.call("sync"), watch = try LearningFixture.call("inotify_init1", 0)
    let own = try LearningFixture.call("getpid")
    let picture = LearningFixture.picture([[sync, sync], [sync, watch], [watch, own], [sync]])
    #expect(picture.new(in: 1).map(\.call) == [sync] && picture.new(in: 2).map(\.call) == [watch])
    #expect(picture.kinds.map(\.count) == [4, 2, 1])
    // Calls that the policy already allows do not end a series of quiet runs.
    #expect(picture.quietRuns == 2)
    #expect(LearningFixture.picture([[sync], [watch]]).quietRuns == 0)
    #expect(LearningFixture.picture([]).quietRuns == 0)
  }

  @Test func `a picture is what it was when it is read again`() throws {
    var ledger = LearningLedger()
    for value in 0..<UInt32(100) { ledger.note(Self.call("ioctl", .max - value)) }
    var picture = LearningFixture.picture([[try LearningFixture.call("sync")]])
    picture.add(ledger, of: .init(at: 5, scope: .everyCall, ending: "\"it\" ended", calls: 100))
    let text = picture.json.bytes(.indented)
    #expect(try LearningPicture(JSONNode.parse(text).value) == picture)
  }

  @Test(
    arguments: [
      "{}", #"{"version":2}"#,
      #"{"version":1,"base":"b","baseDigest":"d","subject":[1],"runs":[],"calls":[]}"#,
      #"{"version":1,"base":"b","baseDigest":"d","subject":[],"runs":[],"calls":[{"call":"x"}],"crowds":[]}"#,
      #"{"version":1,"base":"b","baseDigest":"d","subject":[],"runs":[],"crowds":[],"calls":[{"call":"x","standing":"needed","arguments":[{"index":6,"value":1}],"count":1,"firstRun":1}]}"#,
      #"{"version":1,"base":"b","baseDigest":"d","subject":[],"runs":[],"crowds":[],"calls":[{"call":"x","standing":"needed","arguments":[],"count":1,"firstRun":9}]}"#,
    ]
  )
  func `what is no picture is refused`(text: String) throws {
    let value = try JSONNode.parse(text).value
    #expect(throws: PictureFault.self) { try LearningPicture(value) }
  }
}
