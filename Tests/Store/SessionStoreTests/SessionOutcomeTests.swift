// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct SessionOutcomeTests {
  /// One outcome of each kind, with every case of the enumerations.
  static let all: [SessionOutcome] =
    [
      .completed(exitCode: 3), .signaled(.abort), .protocolViolation(.init(sentence: "a line without end")),
      .hostFailure(.init(step: "execve", errno: "ENOENT", sentence: "the interpreter is missing")),
      .hostFailure(.init(step: "digest", errno: nil, sentence: "the executable was changed")),
      .hostFailure(.init(.session, step: "ppoll", errno: "ENOMEM", sentence: "the executable was changed")),
      .violated(.init(.systemCall, detail: "socket(AF_INET)")),
      .watchdog(.init(missing: Set(SessionOutcome.Requirement.allCases))),
    ]
    + SessionOutcome.Rule.allCases.map { .violated(.init($0)) }
    + SessionOutcome.Deadline.allCases.map(SessionOutcome.timedOut)
    + SessionOutcome.Requirement.allCases.map { .watchdog(.init(missing: [$0])) }
    + SessionOutcome.Dismisser.allCases.flatMap { dismisser in
      ([.exited(7), .signaled(.abort), .requested(.terminate), .timedOut, nil] as [SessionOutcome.Ending?])
        .map {
          .dismissed(.init(by: dismisser, ending: $0))
        }
    }

  @Test(arguments: all) func `an outcome survives a round trip through its record`(_ outcome: SessionOutcome)
    throws
  {
    var record = SessionRecordTests.small
    record.outcome = outcome
    #expect(try SessionRecord(json: record.json).outcome == outcome)
  }

  @Test func `all outcomes have distinct descriptions`() {
    #expect(Set(Self.all.map(\.description)).count == Self.all.count)
  }

  /// Outcomes and their suggested exit codes.
  static let codes: [(SessionOutcome, Int32)] = [
    (.completed(exitCode: 7), 7), (.signaled(.terminate), 143), (.timedOut(.launch), 124),
    (.timedOut(.wallClock), 124), (.watchdog(.init(missing: [.viewfinder])), 124),
    (.hostFailure(.init(step: "clone", errno: "EPERM", sentence: "")), 126),
    (.hostFailure(.init(.session, step: "ppoll", errno: "ENOMEM", sentence: "")), 71),
    (.dismissed(.init(by: .user)), 0), (.dismissed(.init(by: .user, ending: .exited(0))), 0),
    (.dismissed(.init(by: .user, ending: .exited(3))), 3),
    (.dismissed(.init(by: .extension, ending: .signaled(.abort))), 134),
    (.dismissed(.init(by: .applicationOpened, ending: .requested(.terminate))), 0),
    (.dismissed(.init(by: .user, ending: .timedOut)), 124),
    (.dismissed(.init(by: .hostStopped, ending: .exited(0))), 75),
    (.dismissed(.init(by: .hostStopped, ending: .timedOut)), 75), (.dismissed(.init(by: .hostDied)), 75),
    (.dismissed(.init(by: .lockChanged)), 75), (.violated(.init(.systemCall)), 77),
    (.protocolViolation(.init(sentence: "")), 76),
  ]

  @Test(arguments: codes)
  func `suggests the exit code of the extension or the conventional one of its outcome`(
    _ outcome: SessionOutcome,
    _ code: Int32
  ) {
    #expect(outcome.suggestedExitCode == code)
  }

  /// Returns a record with some members replaced.
  private static func document(_ members: [String: JSONValue]) -> JSONValue {
    let kept = SessionRecordTests.small.json.members?.filter { members[$0.name] == nil } ?? []
    return .object(kept + members.map { .init($0.key, $0.value) })
  }

  @Test func `lists missing requirements in launch order`() {
    let outcome = SessionOutcome.watchdog(.init(missing: [.captureEvents, .cameraAccess, .viewfinder]))
    #expect(
      outcome.description.hasSuffix(
        "it had no access to the camera, had not shown a viewfinder and had not subscribed to capture events"
      )
    )
  }

  @Test(
    arguments: [
      [:], ["missing": []], ["missing": ["viewfinder", "applause"]], ["missing": "viewfinder"],
    ] as [JSONValue]
  )
  func `rejects a watchdog outcome without known requirements`(_ more: JSONValue) {
    let outcome = JSONValue.object([.init("kind", "watchdog")] + (more.members ?? []))
    let error = #expect(throws: DocumentFault.self) {
      try SessionRecord(json: Self.document(["outcome": outcome]))
    }
    #expect(error?.description.contains("\"outcome.missing\"") == true)
  }

  /// Outcomes in version 1 of the record, and their equivalents in version 2.
  static let firstVersion: [(outcome: JSONValue, dismissal: JSONValue, meaning: SessionOutcome)] = [
    (["kind": "stoppedByHost", "reason": "person"], "person", .dismissed(.init(by: .user))),
    (["kind": "stoppedByHost", "reason": "hostDied"], .null, .dismissed(.init(by: .hostDied))),
    (
      ["kind": "timedOut", "deadline": "dismissal"], "extension",
      .dismissed(.init(by: .extension, ending: .timedOut))
    ),
    (["kind": "timedOut", "deadline": "wallClock"], .null, .timedOut(.wallClock)),
    (
      ["kind": "completed", "exitCode": 3], "person", .dismissed(.init(by: .user, ending: .exited(3)))
    ),
    (["kind": "completed", "exitCode": 3], .null, .completed(exitCode: 3)),
    (
      ["kind": "signaled", "signal": 6], "person", .dismissed(.init(by: .user, ending: .signaled(.abort)))
    ),
    (
      ["kind": "launchFailed", "step": "execve", "errno": "ENOENT", "sentence": "gone"], .null,
      .hostFailure(.init(step: "execve", errno: "ENOENT", sentence: "gone"))
    ),
  ]

  @Test(arguments: firstVersion)
  func `reads a version 1 record and writes version 2`(
    _ sample: (outcome: JSONValue, dismissal: JSONValue, meaning: SessionOutcome)
  ) throws {
    let old = Self.document(["version": 1, "outcome": sample.outcome, "dismissal": sample.dismissal])
    let record = try SessionRecord(json: old)
    #expect(record.outcome == sample.meaning)
    #expect(record.json["version"] == 2)
    #expect(try SessionRecord(json: record.json) == record)
  }

  @Test func `rejects version 1 outcomes in version 2 and unknown versions`() {
    let old = Self.document(["outcome": ["kind": "stoppedByHost", "reason": "person"]])
    #expect(throws: DocumentFault.self) { try SessionRecord(json: old) }
    #expect(throws: DocumentFault.self) { try SessionRecord(json: Self.document(["version": 3])) }
  }
}
