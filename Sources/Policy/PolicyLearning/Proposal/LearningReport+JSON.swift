// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import Refusals

extension LearningReport {
  /// The report as JSON.
  package var json: JSONValue {
    .object([
      "base": .string(profile.base),
      "subject": .array(profile.subject.map { .string($0) }),
      "runs": .array(
        profile.runs.enumerated().map { index, run in
          .object([
            "at": .integer(run.at), "scope": .string(run.scope.rawValue), "ending": .string(run.ending),
            "calls": .integer(Int64(run.calls)),
            "new": .array(profile.new(in: index + 1).map { .string($0.call.text) }),
          ])
        }
      ),
      "stableRuns": .integer(Int64(profile.stableRuns)),
      "calls": .array(profile.kinds.map(\.json)),
      "proposal": .object([
        "additions": .array(proposal.additions.map(\.json)),
        "executions": .integer(Int64(proposal.executions)),
        "document": hasProposal ? document : nil,
      ]),
      "minimal": minimal.map { least in
        [
          "calls": .array(least.calls.map { .string($0) }),
          "callsOfBase": .integer(Int64(least.baseCallCount)),
        ]
      },
      "unused": unused?.json,
      "trial": trial?.json,
      "beyond": review?.beyond.map { .array($0.map { .string($0) }) },
      "findings": review.map { .array($0.findings.map { .string($0) }) },
    ])
  }
}

extension PolicyProposal.Addition {
  /// The addition as JSON.
  fileprivate var json: JSONValue {
    [
      "rule": rule.element, "evidence": .array(evidence.map { .string($0) }), "count": .integer(Int64(count)),
      "firstRun": .integer(Int64(firstRun)), "generalized": .bool(isGeneralized), "opens": .string(opens),
    ]
  }
}

extension ProposalTrial {
  /// The trial as JSON.
  fileprivate var json: JSONValue {
    .object([
      "ending": .string(ending), "refusals": .array(refusals.map { .string($0) }),
      "core": .array(core.map { .string($0) }), "obstacle": obstacle.map { .string($0) },
    ])
  }
}
