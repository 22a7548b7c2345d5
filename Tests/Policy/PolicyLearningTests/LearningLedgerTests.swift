// SPDX-License-Identifier: Apache-2.0

import JSONText
import PolicyLearning
import Testing

/// Records calls in each run.
@Suite struct LearningLedgerTests {
  private static func call(_ name: String, _ value: UInt32) -> LearnedCall {
    LearnedCall(call: name, status: .needed, arguments: [.init(index: 1, value: value)])
  }

  @Test func `counts equal calls`() {
    var ledger = LearningLedger()
    for _ in 0..<5 { ledger.record(Self.call("ioctl", 7)) }
    #expect(ledger.entries == [.init(call: Self.call("ioctl", 7), count: 5)])
    #expect(ledger.total == 5 && ledger.summaries.isEmpty)
  }

  @Test func `bounds the recorded calls and counts the others with their bits`() {
    var ledger = LearningLedger()
    for value in 0..<UInt32(10_000) { ledger.record(Self.call("ioctl", value)) }
    #expect(ledger.entries.count == LearningLedger.maximumKindsPerCall)
    #expect(ledger.summaries.map(\.count) == [10_000 - LearningLedger.maximumKindsPerCall])
    #expect(ledger.summaries.first?.bits == [1: 0x3FFF])
    // A flood of one call does not displace another call.
    ledger.record(Self.call("prctl", 1))
    #expect(ledger.entries.last?.call.call == "prctl")
    #expect(ledger.total == 10_001)
  }

  @Test func `limits the recorded calls of a program that makes many different calls`() {
    var ledger = LearningLedger()
    for name in 0..<500 {
      for value in 0..<UInt32(100) { ledger.record(Self.call("call\(name)", value)) }
    }
    #expect(ledger.entries.count <= LearningLedger.maximumKinds + 500)
    #expect(Set(ledger.entries.map(\.call.call)).count == 500)
  }

  @Test func `a profile reports the run of each new call and the number of quiet runs`() throws {
    let sync = try LearningFixture.call("sync"), watch = try LearningFixture.call("inotify_init1", 0)
    let own = try LearningFixture.call("getpid")
    let profile = LearningFixture.profile([[sync, sync], [sync, watch], [watch, own], [sync]])
    #expect(profile.new(in: 1).map(\.call) == [sync] && profile.new(in: 2).map(\.call) == [watch])
    #expect(profile.kinds.map(\.count) == [4, 2, 1])
    // Calls that the policy already allows do not end a series of quiet runs.
    #expect(profile.stableRuns == 2)
    #expect(LearningFixture.profile([[sync], [watch]]).stableRuns == 0)
    #expect(LearningFixture.profile([]).stableRuns == 0)
  }

  @Test func `a profile survives a round trip through JSON`() throws {
    var ledger = LearningLedger()
    for value in 0..<UInt32(100) { ledger.record(Self.call("ioctl", .max - value)) }
    var profile = LearningFixture.profile([[try LearningFixture.call("sync")]])
    profile.add(ledger, of: .init(at: 5, scope: .everyCall, ending: "\"it\" ended", calls: 100))
    let text = profile.json.bytes(.indented)
    #expect(try LearningProfile(JSONNode.parse(text).value) == profile)
    #expect(try LearningProfile(Self.firstVersion(profile.json)) == profile)
  }

  /// Returns a profile with the names that version 1 wrote.
  private static func firstVersion(_ json: JSONValue) -> JSONValue {
    let renamed = json.updated(by: [
      .member(path: ["calls", JSONRenaming.each], old: "status", new: "standing"),
      .member(path: ["summaries", JSONRenaming.each], old: "status", new: "standing"),
      .member(path: [], old: "summaries", new: "crowds"),
    ])
    return .object((renamed.members ?? []).map { $0.name == "version" ? .init("version", 1) : $0 })
  }

  @Test(
    arguments: [
      "{}", #"{"version":3}"#,
      #"{"version":1,"base":"b","baseDigest":"d","subject":[1],"runs":[],"calls":[]}"#,
      #"{"version":1,"base":"b","baseDigest":"d","subject":[],"runs":[],"calls":[{"call":"x"}],"crowds":[]}"#,
      #"{"version":1,"base":"b","baseDigest":"d","subject":[],"runs":[],"crowds":[],"calls":[{"call":"x","standing":"needed","arguments":[{"index":6,"value":1}],"count":1,"firstRun":1}]}"#,
      #"{"version":1,"base":"b","baseDigest":"d","subject":[],"runs":[],"crowds":[],"calls":[{"call":"x","standing":"needed","arguments":[],"count":1,"firstRun":9}]}"#,
    ]
  )
  func `rejects a document that is not a learning profile`(text: String) throws {
    let value = try JSONNode.parse(text).value
    #expect(throws: LearningProfileError.self) { try LearningProfile(value) }
  }
}
