// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

@Suite struct SessionOutcomeTests {
  /// One outcome of each kind, with every word of the enumerations.
  static let all: [SessionOutcome] =
    [
      .completed(exitCode: 3), .signaled(.abort), .protocolViolation(.init(sentence: "a line without end")),
      .launchFailed(.init(step: "execve", errno: "ENOENT", sentence: "the interpreter is missing")),
      .launchFailed(.init(step: "digest", errno: nil, sentence: "the executable was changed")),
      .violated(.init(.systemCall, detail: "socket(AF_INET)")),
    ]
    + SessionOutcome.Rule.allCases.map { .violated(.init($0)) }
    + SessionOutcome.Deadline.allCases.map(SessionOutcome.timedOut)
    + SessionOutcome.StopReason.allCases.map(SessionOutcome.stoppedByHost)

  @Test(arguments: all) func `an outcome survives its record`(_ outcome: SessionOutcome) throws {
    var record = SessionRecordTests.small
    record.outcome = outcome
    #expect(try SessionRecord(json: record.json).outcome == outcome)
  }

  @Test func `no two outcomes read alike`() {
    #expect(Set(Self.all.map(\.description)).count == Self.all.count)
  }

  /// Outcomes and the exit codes that they suggest.
  static let codes: [(SessionOutcome, Int32)] = [
    (.completed(exitCode: 7), 7), (.signaled(.terminate), 143), (.timedOut(.launch), 124),
    (.launchFailed(.init(step: "clone", errno: "EPERM", sentence: "")), 126), (.stoppedByHost(.person), 0),
    (.stoppedByHost(.hostStopped), 75), (.violated(.init(.systemCall)), 77),
    (.protocolViolation(.init(sentence: "")), 76),
  ]

  @Test(arguments: codes) func `the exit code is the extension's own, or the custom of shells and sysexits`(
    _ outcome: SessionOutcome,
    _ code: Int32
  ) {
    #expect(outcome.suggestedExitCode == code)
  }
}
