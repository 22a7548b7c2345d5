// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension PolicyDescriber {
  /// The section with the justifications for findings of the linter, or `nil` if the policy contains none.
  var justifications: Section? {
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
