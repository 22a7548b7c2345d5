// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// An entry of a batch's ledger.
package enum BatchEntry: Hashable, Sendable {
  /// A session of an input is about to be created. The entry is durable before the session exists.
  case started(BatchInput, SessionID)
  /// The session has ended, and its content is migrated.
  case delivered(SessionID, BatchResult)
}

/// The result of a session, as a ledger keeps it.
package struct BatchResult: Hashable, Sendable {
  /// The outcome of the session.
  package var outcome: SessionOutcome
  /// The last line of the program's output, or an empty string if there was none.
  package var lastLine: String

  /// Creates a result.
  package init(_ outcome: SessionOutcome, lastLine: String = "") {
    self.outcome = outcome
    self.lastLine = lastLine
  }
}

/// The meaning of an outcome for a batch.
package enum BatchVerdict: String, Hashable, Sendable {
  /// The program exited with 0. The input is never run again.
  case done
  /// The session ended in another way. The input is run again only on request.
  case failed
  /// The host was stopped or died before the program had completed. The next run repeats the input.
  case interrupted
}

extension SessionOutcome {
  /// The meaning of the outcome for a batch.
  package var batchVerdict: BatchVerdict {
    switch self {
    case .completed(exitCode: 0): .done
    case .dismissed(let dismissal) where dismissal.by == .hostStopped || dismissal.by == .hostDied:
      .interrupted
    default: .failed
    }
  }
}

extension BatchEntry {
  /// The entry as a line of a ledger.
  func json(at time: Int64) -> JSONValue {
    let time = JSONValue.string(WallClock.text(milliseconds: time))
    switch self {
    case .started(let input, let session):
      return [
        "event": "started", "time": time, "session": .string("\(session)"), "input": .string(input.path),
      ]
    case .delivered(let session, let result):
      return .object([
        "event": "delivered", "time": time, "session": .string("\(session)"),
        "verdict": .string(result.outcome.batchVerdict.rawValue), "outcome": result.outcome.json,
        "lastLine": result.lastLine.isEmpty ? nil : .string(result.lastLine),
      ])
    }
  }

  /// Parses a line of a ledger.
  init(_ reader: DocumentReader) throws(DocumentFault) {
    guard let session = SessionID(try reader.string("session")) else {
      throw reader.fault("session", "a session ID")
    }
    switch try reader.string("event") {
    case "started": self = .started(BatchInput(try reader.string("input")), session)
    case "delivered":
      let outcome = try SessionOutcome(try reader.object("outcome"))
      let lastLine = try reader.optional("lastLine", reader.string) ?? ""
      self = .delivered(session, BatchResult(outcome, lastLine: lastLine))
    default: throw reader.fault("event", "started or delivered")
    }
  }
}
