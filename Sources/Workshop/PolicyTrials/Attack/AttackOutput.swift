// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import JSONText
package import PolicyExplanation

/// The output of a battery, as tables and as JSON.
package enum AttackOutput {
  /// Returns a table of the available attempts.
  package static func table(_ attempts: [Attempt]) -> TextTable {
    var table = TextTable([
      .init("ATTEMPT"), .init("CLASS"), .init("EXPECTED LAYERS"), .init("OPERATION"),
    ])
    for attempt in attempts {
      table.add([attempt.name, attempt.category, attempt.layers.joined(separator: ", "), attempt.summary])
    }
    return table
  }

  /// Returns a table of the results.
  package static func table(_ summary: AttackSummary) -> TextTable {
    let isProved = !summary.resultsWithOutsideRun.isEmpty
    var columns: [TextTable.Column] = [.init("ATTEMPT"), .init("CLASS"), .init("VERDICT"), .init("BY")]
    if isProved { columns.append(.init("OUTSIDE")) }
    var table = TextTable(columns + [.init("OPERATION"), .init("ANSWER")])
    for result in summary.results {
      var cells = [
        result.attempt.name, result.attempt.category, result.verdict.words,
        result.blockedBy.map(words) ?? "",
      ]
      if isProved { cells.append(result.outside?.outsideText ?? "") }
      table.add(cells + [result.attempt.summary, String(result.note.prefix(60))])
    }
    return table
  }

  /// The layers that blocked an attempt, with the uncertainty of the evidence.
  private static func words(_ by: BlockedBy) -> String {
    switch by.evidence {
    case .expectation: "\(by.layers.joined(separator: ", ")) (expected, not observed)"
    case .errno: by.layers.joined(separator: " or ")
    case .deadline: "the host, at the deadline"
    case .report, .signal, .experiment: by.layers.joined(separator: ", ")
    }
  }

  /// Returns the summary lines below the table.
  package static func summaryLines(_ summary: AttackSummary) -> [String] {
    var lines = [
      "",
      "policy \(TextTable.printable(summary.policy)): \(summary.results.count) attempts, "
        + "\(summary.count(.blocked)) blocked, \(summary.count(.gotThrough)) got through, "
        + "\(summary.count(.untried)) not possible here",
    ]
    if let restriction = summary.restriction {
      lines.append(
        "the sandboxes were restricted, without namespaces (\(restriction)): \(summary.count(.unprotected)) of the "
          + "attempts succeeded because each layer that blocks them is missing"
      )
    }
    let proofs = summary.resultsWithOutsideRun
    if !proofs.isEmpty {
      let real = proofs.count { $0.outside == .gotThrough }
      lines.append("outside the sandbox: \(real) of \(proofs.count) harmless attempts succeeded")
    }
    return lines
  }

  /// Returns the available attempts as JSON.
  package static func json(_ attempts: [Attempt]) -> JSONValue {
    ["attempts": .array(attempts.map { .object(members($0)) })]
  }

  /// Returns the results as JSON.
  package static func json(_ summary: AttackSummary) -> JSONValue {
    [
      "policy": .string(summary.policy),
      "attempts": .integer(Int64(summary.results.count)),
      "blocked": .integer(Int64(summary.count(.blocked))),
      "gotThrough": .integer(Int64(summary.count(.gotThrough))),
      "untried": .integer(Int64(summary.count(.untried))),
      "unprotected": .integer(Int64(summary.count(.unprotected))),
      "isRestricted": .bool(summary.restriction != nil),
      "results": .array(summary.results.map(json)),
    ]
  }

  /// Returns one result as JSON.
  private static func json(_ result: AttemptResult) -> JSONValue {
    var members = members(result.attempt)
    members.append(.init("verdict", .string(result.verdict.rawValue)))
    members.append(.init("answer", .string(result.note)))
    if let by = result.blockedBy {
      members.append(
        .init(
          "blockedBy",
          [
            "layers": .array(by.layers.map(JSONValue.string)), "evidence": .string(by.evidence.rawValue),
            "calls": .array(by.calls.map(JSONValue.string)),
          ]
        )
      )
    }
    if let outside = result.outside { members.append(.init("outside", .string(outside.rawValue))) }
    return .object(members)
  }

  /// Returns the properties of an attempt that are known before it is made.
  private static func members(_ attempt: Attempt) -> [JSONValue.Member] {
    [
      .init("attempt", .string(attempt.name)), .init("class", .string(attempt.category)),
      .init("tries", .string(attempt.summary)),
      .init("expected", .array(attempt.layers.map(JSONValue.string))),
    ]
  }
}

extension AttemptResult.Verdict {
  /// The verdict in a table.
  fileprivate var words: String {
    switch self {
    case .blocked: "blocked"
    case .gotThrough: "GOT THROUGH"
    case .unprotected: "not protected"
    case .untried: "not possible here"
    }
  }

  /// The verdict of a run outside any sandbox.
  fileprivate var outsideText: String {
    switch self {
    case .blocked: "refused"
    case .gotThrough, .unprotected: "succeeded"
    case .untried: "not tried"
    }
  }
}
