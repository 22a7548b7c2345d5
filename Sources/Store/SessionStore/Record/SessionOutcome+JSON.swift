// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

extension SessionOutcome {
  /// The outcome as a member of a session record.
  package var json: JSONValue {
    switch self {
    case .completed(let exitCode): ["kind": "completed", "exitCode": .integer(Int64(exitCode))]
    case .signaled(let signal):
      [
        "kind": "signaled", "signal": .integer(Int64(signal.rawValue)), "name": .string(signal.description),
        // The sandbox sets `RLIMIT_CORE` to 0, so that the memory of an extension is never stored.
        "coreDumped": false,
      ]
    case .violated(let violation):
      .object([
        "kind": "violated", "rule": .string(violation.rule.rawValue),
        "detail": violation.detail.map(JSONValue.string),
      ])
    case .timedOut(let deadline): ["kind": "timedOut", "deadline": .string(deadline.rawValue)]
    case .watchdog(let watchdog):
      .object([
        "kind": "watchdog", "missing": watchdog.json,
        "satisfied": watchdog.satisfiedAt.isEmpty ? nil : watchdog.arrivals,
      ])
    case .protocolViolation(let fault): ["kind": "protocolViolation", "sentence": .string(fault.sentence)]
    case .dismissed(let dismissal):
      .object([
        "kind": "dismissed", "by": .string(dismissal.by.rawValue), "ending": dismissal.ending?.json,
      ])
    case .hostFailure(let fault):
      .object([
        "kind": "hostFailure", "stage": .string(fault.stage.rawValue), "step": .string(fault.step),
        "errno": fault.errno.map(JSONValue.string), "sentence": .string(fault.sentence),
      ])
    }
  }

  /// Parses an outcome.
  init(_ reader: DocumentReader) throws(DocumentFault) {
    switch try reader.string("kind") {
    case "completed": self = .completed(exitCode: try reader.integer32("exitCode"))
    case "signaled": self = .signaled(Signal(rawValue: try reader.integer32("signal")))
    case "violated":
      self = .violated(
        Violation(try reader.enumValue("rule"), detail: try reader.optional("detail", reader.string))
      )
    case "timedOut": self = .timedOut(try reader.enumValue("deadline"))
    case "watchdog": self = .watchdog(try Watchdog(reader))
    case "protocolViolation":
      self = .protocolViolation(ProtocolFault(sentence: try reader.string("sentence")))
    case "dismissed":
      let ending = try reader.optional("ending", reader.object)
      self = .dismissed(Dismissal(by: try reader.enumValue("by"), ending: try ending.map(Ending.init)))
    case "hostFailure": self = .hostFailure(try HostFault(reader, stage: try reader.enumValue("stage")))
    default: throw reader.fault("kind", "a known outcome")
    }
  }
}

extension SessionOutcome.HostFault {
  fileprivate init(_ reader: DocumentReader, stage: Stage) throws(DocumentFault) {
    self.init(
      stage,
      step: try reader.string("step"),
      errno: try reader.optional("errno", reader.string),
      sentence: try reader.string("sentence")
    )
  }
}

extension SessionOutcome.Watchdog {
  fileprivate var json: JSONValue {
    .array(SessionOutcome.Requirement.allCases.filter(missing.contains).map { .string($0.rawValue) })
  }

  /// The times at which requirements were satisfied, in the order of their declaration.
  fileprivate var arrivals: JSONValue {
    .object(
      SessionOutcome.Requirement.allCases.compactMap { duty in
        satisfiedAt[duty].map { JSONValue.Member(duty.rawValue, .integer($0)) }
      }
    )
  }

  fileprivate init(_ reader: DocumentReader) throws(DocumentFault) {
    let duties =
      reader.value["missing"]?.elements?.map { $0.string.flatMap(SessionOutcome.Requirement.init) } ?? []
    guard !duties.isEmpty, !duties.contains(nil) else {
      throw reader.fault("missing", "a nonempty array of known requirements")
    }
    var satisfiedAt: [SessionOutcome.Requirement: Int64] = [:]
    for member in reader.value["satisfied"]?.members ?? [] {
      guard let duty = SessionOutcome.Requirement(rawValue: member.name), let time = member.value.integer
      else {
        throw reader.fault("satisfied", "an object of known requirements and milliseconds")
      }
      satisfiedAt[duty] = time
    }
    self.init(missing: Set(duties.compactMap(\.self)), satisfiedAt: satisfiedAt)
  }
}

extension SessionOutcome.Ending {
  fileprivate var json: JSONValue {
    switch self {
    case .exited(let exitCode): ["kind": "exited", "exitCode": .integer(Int64(exitCode))]
    case .signaled(let signal): Self.json("signaled", signal)
    case .requested(let signal): Self.json("requested", signal)
    case .timedOut: ["kind": "timedOut"]
    }
  }

  private static func json(_ kind: String, _ signal: Signal) -> JSONValue {
    [
      "kind": .string(kind), "signal": .integer(Int64(signal.rawValue)), "name": .string(signal.description),
    ]
  }

  fileprivate init(_ reader: DocumentReader) throws(DocumentFault) {
    switch try reader.string("kind") {
    case "exited": self = .exited(try reader.integer32("exitCode"))
    case "signaled": self = .signaled(Signal(rawValue: try reader.integer32("signal")))
    case "requested": self = .requested(Signal(rawValue: try reader.integer32("signal")))
    case "timedOut": self = .timedOut
    default: throw reader.fault("kind", "a known ending")
    }
  }
}

// MARK: - Records of the first version

extension SessionOutcome {
  /// Parses an outcome of version 1 of the record.
  ///
  /// Version 1 had the dismissal as a separate member, and other names for two kinds of outcomes.
  init(firstVersion reader: DocumentReader, dismissal: String?) throws(DocumentFault) {
    switch try reader.string("kind") {
    case "stoppedByHost": self = .dismissed(Dismissal(by: try reader.enumValue("reason")))
    case "launchFailed": self = .hostFailure(try HostFault(reader, stage: .launch))
    case "timedOut" where try reader.string("deadline") == "dismissal":
      self = .dismissed(Dismissal(by: Dismisser(firstVersion: dismissal), ending: .timedOut))
    case "completed" where dismissal != nil:
      let exitCode = try reader.integer32("exitCode")
      self = .dismissed(Dismissal(by: Dismisser(firstVersion: dismissal), ending: .exited(exitCode)))
    case "signaled" where dismissal != nil:
      let signal = Signal(rawValue: try reader.integer32("signal"))
      // The sender of the signal was not recorded. The host sends SIGTERM.
      let ending = signal == .terminate ? Ending.requested(signal) : .signaled(signal)
      self = .dismissed(Dismissal(by: Dismisser(firstVersion: dismissal), ending: ending))
    default: self = try SessionOutcome(reader)
    }
  }
}

extension SessionOutcome.Dismisser {
  /// Creates the initiator from the value in version 1.
  fileprivate init(firstVersion word: String?) {
    switch word {
    case "host": self = .hostStopped
    case "lock": self = .lockChanged
    case "extension": self = .extension
    case "applicationOpened": self = .applicationOpened
    default: self = .user
    }
  }
}
