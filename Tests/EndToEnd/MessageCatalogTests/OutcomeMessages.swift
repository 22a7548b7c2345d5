// SPDX-License-Identifier: Apache-2.0

@testable import LinuxPrimitives
@testable import SessionStore

extension SessionOutcome: CaseSamples {
  static var catalogSamples: [(String, SessionOutcome)] {
    let endings: [Ending] = [.exited(0), .signaled(.kill), .requested(.terminate), .timedOut]
    let violations = Rule.allCases.map { ("violated", SessionOutcome.violated(Violation($0))) }
    let deadlines = Deadline.allCases.map { ("timedOut", SessionOutcome.timedOut($0)) }
    let watchdogs = Requirement.allCases.map {
      ("watchdog", SessionOutcome.watchdog(Watchdog(missing: [$0])))
    }
    let dismissals = Dismisser.allCases.map { ("dismissed", SessionOutcome.dismissed(Dismissal(by: $0))) }
    let ended = endings.map { ("dismissed", SessionOutcome.dismissed(Dismissal(by: .user, ending: $0))) }
    let failures = HostFault.Stage.allCases.map { stage in
      let sentence = SystemMessages.exhausted.description
      return (
        "hostFailure",
        SessionOutcome.hostFailure(HostFault(stage, step: "pipe", errno: "EMFILE", sentence: sentence))
      )
    }
    return [("completed", .completed(exitCode: 3)), ("signaled", .signaled(Signal(rawValue: 11)))]
      + violations + [("violated", .violated(Violation(.sessionBytes, detail: "70 MB of 64 MB")))] + deadlines
      + watchdogs
      + [
        (
          "watchdog",
          .watchdog(
            Watchdog(
              missing: [.viewfinder, .captureEvents],
              satisfiedAt: [.cameraAccess: 120, .viewfinder: 300]
            )
          )
        ),
        (
          "protocolViolation",
          .protocolViolation(ProtocolFault(sentence: "the line has more than 65536 bytes"))
        ),
      ] + dismissals + ended + failures
  }

  var isInCatalog: Bool {
    switch self {
    case .completed, .signaled, .violated, .timedOut, .watchdog, .protocolViolation, .dismissed, .hostFailure:
      true
    }
  }
}
