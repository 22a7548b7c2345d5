// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import JSONText
import Policies
import Refusals
import SandboxPolicy
import SessionStore
import Testing

@Suite struct RefusalRecordTests {
  /// Returns a ledger with a call that was refused three times, and more kinds of calls than its capacity.
  private static func ledger() throws -> RefusalLedger {
    let policy = try #require(try PolicyLibrary(texts: ShippedPolicies.texts).policy(named: "capture"))
    var ledger = RefusalLedger()
    func refuse(_ call: String, _ argument: UInt64) throws {
      let denied = DeniedCall(
        number: try #require(SystemCallTable.native.numbers[call]),
        arguments: [argument, 1, 0],
        thread: 4711,
        program: "python3",
        at: 951_782_400_250
      )
      _ = ledger.add(Refusal(denied, policy: policy), now: 0)
    }
    for _ in 0..<3 { try refuse("socket", 2) }
    for descriptor in 0..<300 { try refuse("syncfs", UInt64(descriptor)) }
    return ledger
  }

  @Test func `a record contains the refusals of the ledger and is decoded as encoded`() throws {
    let ledger = try Self.ledger()
    var record = SessionRecord(
      sessionID: SessionID.random(),
      app: "org.example.camera",
      extensionID: "org.example.camera.capture",
      startedAt: 0,
      endedAt: 0,
      outcome: .completed(exitCode: 0)
    )
    record.note(ledger)
    #expect(record.refusals.count == 256)
    #expect(record.refusalsOmitted == 45)
    let first = try #require(record.refusals.first)
    #expect(
      first.call.name == "socket" && first.layer == "seccomp" && first.call.count == 3
        && first.errno == "EPERM"
    )
    #expect(first.call.arguments.first == .init(name: "family", value: "0x2", text: "AF_INET"))
    #expect(first.explanation.sentence == ledger.entries.first?.refusal.sentence)
    #expect(first.explanation.origin == ["kind": "core", "area": "network"])
    let written = record.json
    let text = written.text(.indented)
    #expect(try SessionRecord(json: JSONNode.parse(text).value) == record)
    #expect(written["refusals"]?.elements?.first?["at"] == "2000-02-29T00:00:00.250Z")
    #expect(
      written["refusals"]?.elements?.last?["fix"]?["policy"]?["write"]?["syscalls"] == ["allow": ["syncfs"]]
    )
  }
}
