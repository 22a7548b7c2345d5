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

  /// Outcomes in version 1 of the record, and their equivalents in version 3.
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
  func `reads a version 1 record and writes version 3`(
    _ sample: (outcome: JSONValue, dismissal: JSONValue, meaning: SessionOutcome)
  ) throws {
    let old = Self.document(["version": 1, "outcome": sample.outcome, "dismissal": sample.dismissal])
    let record = try SessionRecord(json: old)
    #expect(record.outcome == sample.meaning)
    #expect(record.json["version"] == 3)
    #expect(try SessionRecord(json: record.json) == record)
  }

  @Test(arguments: [2, 3] as [JSONValue])
  func `rejects version 1 outcomes in later versions`(version: JSONValue) {
    let old = Self.document(["version": version, "outcome": ["kind": "stoppedByHost", "reason": "person"]])
    #expect(throws: DocumentFault.self) { try SessionRecord(json: old) }
  }

  @Test(arguments: [0, 4] as [JSONValue]) func `rejects an unknown version`(version: JSONValue) {
    #expect(throws: DocumentFault.self) { try SessionRecord(json: Self.document(["version": version])) }
  }

  /// Outcomes with the names of version 2, and their meaning.
  static let secondVersion: [(outcome: JSONValue, meaning: SessionOutcome)] = [
    (["kind": "dismissed", "by": "person"], .dismissed(.init(by: .user))),
    (
      ["kind": "dismissed", "by": "person", "ending": ["kind": "asked", "signal": 15, "name": "SIGTERM"]],
      .dismissed(.init(by: .user, ending: .requested(.terminate)))
    ),
    (
      ["kind": "dismissed", "by": "hostStopped", "ending": ["kind": "outstayed"]],
      .dismissed(.init(by: .hostStopped, ending: .timedOut))
    ),
    (
      ["kind": "watchdog", "missing": ["viewfinder"], "came": ["cameraAccess": 250]],
      .watchdog(.init(missing: [.viewfinder], satisfiedAt: [.cameraAccess: 250]))
    ),
  ]

  @Test(arguments: secondVersion)
  func `reads a version 2 outcome and writes version 3`(
    _ sample: (outcome: JSONValue, meaning: SessionOutcome)
  ) throws {
    let record = try SessionRecord(json: Self.document(["version": 2, "outcome": sample.outcome]))
    #expect(record.outcome == sample.meaning)
    #expect(record.json["version"] == 3)
    #expect(try SessionRecord(json: record.json) == record)
  }

  @Test(
    arguments: [
      ["kind": "dismissed", "by": "person"],
      ["kind": "dismissed", "by": "user", "ending": ["kind": "asked", "signal": 15]],
      ["kind": "dismissed", "by": "user", "ending": ["kind": "outstayed"]],
    ] as [JSONValue]
  )
  func `rejects version 2 outcomes in version 3`(outcome: JSONValue) {
    #expect(throws: DocumentFault.self) { try SessionRecord(json: Self.document(["outcome": outcome])) }
  }
}
