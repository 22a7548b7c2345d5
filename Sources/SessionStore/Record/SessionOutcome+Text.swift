// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

extension SessionOutcome: CustomStringConvertible {
  /// A sentence without a full stop.
  package var description: String {
    switch self {
    case .completed(let exitCode): "the extension ended with exit code \(exitCode)"
    case .signaled(let signal): "the extension was ended by \(signal)"
    case .violated(let violation):
      "the extension was ended because it \(violation.rule.words)"
        + (violation.detail.map { ": \($0)" } ?? "")
    case .timedOut(.launch): "the extension was not ready before its launch deadline"
    case .timedOut(.wallClock): "the session took longer than its policy allows"
    case .timedOut(.dismissal): "the extension did not end in the time that it had after its dismissal"
    case .stoppedByHost(.person): "the session was dismissed"
    case .stoppedByHost(.hostStopped): "the host was told to stop"
    case .stoppedByHost(.hostDied): "the host died during the session, and the session was recovered"
    case .stoppedByHost(.applicationOpened): "the session ended because its app was opened"
    case .stoppedByHost(.lockChanged): "the session ended because the lock state changed"
    case .protocolViolation(let fault): "the extension broke the protocol: \(fault.sentence)"
    case .launchFailed(let fault):
      "the extension was not started: \(fault.sentence)"
    }
  }
}

extension SessionOutcome.Rule {
  /// The rest of "because it".
  fileprivate var words: String {
    switch self {
    case .systemCall: "made a system call that its policy forbids"
    case .sessionBytes: "wrote more to its session directory than its policy allows"
    case .sessionFiles: "made more files in its session directory than its policy allows"
    case .outputBytes: "wrote more to its standard output and error than its policy allows"
    case .fileSize: "wrote a larger file than its policy allows"
    case .processorTime: "took more processor time than its policy allows"
    case .memory: "took more memory than its policy allows"
    }
  }
}

extension SessionOutcome {
  /// The outcome as it stands in a session record.
  package var json: JSONValue {
    switch self {
    case .completed(let exitCode): ["kind": "completed", "exitCode": .integer(Int64(exitCode))]
    case .signaled(let signal):
      [
        "kind": "signaled", "signal": .integer(Int64(signal.rawValue)), "name": .string(signal.description),
        // The sandbox sets RLIMIT_CORE to zero: an extension's memory is never written down.
        "coreDumped": false,
      ]
    case .violated(let violation):
      .object([
        "kind": "violated", "rule": .string(violation.rule.rawValue),
        "detail": violation.detail.map(JSONValue.string),
      ])
    case .timedOut(let deadline): ["kind": "timedOut", "deadline": .string(deadline.rawValue)]
    case .stoppedByHost(let reason): ["kind": "stoppedByHost", "reason": .string(reason.rawValue)]
    case .protocolViolation(let fault): ["kind": "protocolViolation", "sentence": .string(fault.sentence)]
    case .launchFailed(let fault):
      .object([
        "kind": "launchFailed", "step": .string(fault.step), "errno": fault.errno.map(JSONValue.string),
        "sentence": .string(fault.sentence),
      ])
    }
  }

  /// Reads what ``json`` writes.
  init(_ reader: DocumentReader) throws(DocumentFault) {
    switch try reader.string("kind") {
    case "completed": self = .completed(exitCode: try reader.integer32("exitCode"))
    case "signaled": self = .signaled(Signal(rawValue: try reader.integer32("signal")))
    case "violated":
      self = .violated(
        Violation(try reader.word("rule"), detail: try reader.optional("detail", reader.string))
      )
    case "timedOut": self = .timedOut(try reader.word("deadline"))
    case "stoppedByHost": self = .stoppedByHost(try reader.word("reason"))
    case "protocolViolation":
      self = .protocolViolation(ProtocolFault(sentence: try reader.string("sentence")))
    case "launchFailed":
      self = .launchFailed(
        LaunchFault(
          step: try reader.string("step"),
          errno: try reader.optional("errno", reader.string),
          sentence: try reader.string("sentence")
        )
      )
    default: throw reader.fault("kind", "an outcome that Darkroom knows")
    }
  }
}
