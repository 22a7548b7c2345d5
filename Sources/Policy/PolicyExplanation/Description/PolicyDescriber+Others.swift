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
      title: "What else it can call",
      statements: [
        items.isEmpty
          ? Statement(.cannot, "It can make no call that is not named above.")
          : Statement(
            .can,
            "\(others.count) calls are not named above; systemd groups them like this:",
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
