// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension PolicyDescriber {
  /// Returns the section about allowed calls that no other section mentions, so that the description is
  /// complete.
  func otherCalls(than described: [String]) -> Section {
    let others = Set(permittedCalls.calls).subtracting(described)
    let byGroup = Dictionary(grouping: others) { Self.smallestGroup[$0] ?? "in no group" }
    let items = byGroup.sorted { $0.key < $1.key }.map { group, calls in
      let words = calls.sorted().map { permittedCalls.permitsUnconditionally($0) ? $0 : "\($0) (in part)" }
      return "\(group): \(words.joined(separator: ", "))"
    }
    return Section(
      title: "Other system calls",
      statements: [
        items.isEmpty
          ? Statement(.cannot, "The extension cannot make any call that is not listed above.")
          : Statement(
            .can,
            others.count == 1
              ? "1 call is not listed above, here by systemd's groups:"
              : "\(others.count) calls are not listed above, here by systemd's groups:",
            items,
            about: others.sorted()
          )
      ]
    )
  }

  /// The smallest group that contains a call, by call.
  private static let smallestGroup: [String: String] = {
    let groups = CallGroup.members.keys.sorted().map { (name: $0, calls: CallGroup.calls(of: $0) ?? []) }
    var smallest: [String: String] = [:]
    for group in groups.sorted(by: { $0.calls.count < $1.calls.count }) {
      for call in group.calls where smallest[call] == nil { smallest[call] = group.name }
    }
    return smallest
  }()
}

extension PolicyDescriber {
  /// The section with the justifications for findings of the linter, or `nil` if the policy contains none.
  var justifications: Section? {
    let given = policy.documents.flatMap(\.justifications)
    guard !given.isEmpty else { return nil }
    return Section(
      title: "Justifications",
      statements: [
        Statement(
          .fact,
          "The authors justify findings of 'darkroom policy check'; these reasons enforce nothing:",
          given.map { justification in
            let subject = justification.subject.map { "\($0.value): " } ?? ""
            return "\(subject)\(justification.reason) (\(justification.rule.value), \(justification.origin))"
          }
        )
      ]
    )
  }
}
