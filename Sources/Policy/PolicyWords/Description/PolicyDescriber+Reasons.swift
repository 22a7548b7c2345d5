// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension PolicyDescriber {
  /// Why its authors grant what a check finds fault with; nil if they say nothing.
  var reasons: Section? {
    let given = policy.documents.flatMap(\.justifications)
    guard !given.isEmpty else { return nil }
    return Section(
      title: "What its authors say about it",
      statements: [
        Statement(
          .fact,
          "They give these reasons for what 'darkroom policy check' finds fault with; nothing is enforced by them:",
          given.map { justification in
            let subject = justification.subject.map { "\($0.value): " } ?? ""
            return "\(subject)\(justification.reason) (\(justification.rule.value), \(justification.origin))"
          }
        )
      ]
    )
  }
}
