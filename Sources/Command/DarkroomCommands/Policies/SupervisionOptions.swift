// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import FilterAnalysis
internal import JSONText
internal import SandboxAudit

/// The options by which an auditor states the answers of the processes to which a foreign filter passes
/// calls.
///
/// Darkroom's own supervisor refuses every call. The supervisor of any other filter may let a call pass.
enum SupervisionOptions {
  /// The option for the answers of the supervisor.
  static let notifications = option(
    "notifications",
    help: "Set the answer of supervisors to USER_NOTIF of filters of other programs"
  )
  /// The option for the answers of the tracer.
  static let traces = option(
    "traces",
    help: "Set the answer of tracers to TRACE of filters of other programs"
  )
  /// Both options.
  static let all = [notifications, traces]

  private static func option(_ name: String, help: String) -> OptionSpec {
    .value(
      name,
      "ANSWER",
      .choice(Supervision.Response.allCases.map(\.rawValue)),
      default: Supervision.Response.unknown.rawValue,
      help: help
    )
  }

  /// Returns the auditor's statement.
  static func supervision(_ parsed: ParsedCommand) -> Supervision {
    func answer(_ option: OptionSpec) -> Supervision.Response {
      parsed.value(of: option).flatMap { Supervision.Response(rawValue: $0) } ?? .unknown
    }
    return Supervision(notifications: answer(notifications), traces: answer(traces))
  }
}

extension AnswerAssumption {
  /// The assumption as a sentence, with the option that states the answer.
  var sentence: String {
    let option = process == .supervisor ? SupervisionOptions.notifications : SupervisionOptions.traces
    return switch answer {
    case .refused:
      "\(action) counts as refused: the \(process) refuses every call (--\(option.long) refused)."
    case .unknown:
      "\(action) counts as allowed: the \(process) is unknown; state --\(option.long) refused if it refuses every call."
    }
  }
}

extension Supervision {
  /// The statement as JSON.
  var json: [JSONValue.Member] {
    [
      .init("notifications", .string(notifications.rawValue)), .init("traces", .string(traces.rawValue)),
    ]
  }
}
