// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy

/// A policy in plain language: the actions that an extension can and cannot take, and its limits.
///
/// Every sentence is derived from the rules of the policy.
package struct PolicyDescription: Sendable, Hashable {
  /// The name of the policy.
  package let name: String
  /// The sections, in the order of an auditor's questions.
  package let sections: [Section]

  /// A question and its answer.
  package struct Section: Sendable, Hashable {
    /// The subject of the section, such as `Readable files`.
    package var title: String
    /// The sentences that answer the question.
    package var statements: [Statement]
  }

  /// A sentence and its list items.
  package struct Statement: Sendable, Hashable {
    /// The kind of statement.
    package var kind: Kind
    /// The sentence, which ends with a colon if list items follow.
    package var text: String
    /// The list items, without final periods.
    package var items: [String]
    /// The allowed calls that the statement is about.
    package var calls: [String]

    /// Creates a statement.
    package init(_ kind: Kind, _ text: String, _ items: [String] = [], about calls: [String] = []) {
      self.kind = kind
      self.text = text
      self.items = items
      self.calls = calls
    }
  }

  /// The meaning of a statement for an auditor.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A fact without a judgment.
    case fact
    /// The extension can do something.
    case can
    /// The extension cannot do something.
    case cannot
    /// The extension can do something that most policies prevent, or a protection may be missing.
    case warning
  }

  /// Creates the description of a policy.
  ///
  /// - Parameters:
  ///   - policy: The policy.
  ///   - standard: The policy to compare with, or `nil` to omit the comparison.
  ///   - mode: The isolation mode of the sessions, which is applied to the policy first.
  package init(
    of policy: ResolvedPolicy,
    comparedWith standard: ResolvedPolicy? = nil,
    mode: SessionMode = .namespaces
  ) {
    let describer = PolicyDescriber(policy, mode)
    name = policy.name
    let first = [
      describer.identity, describer.reading, describer.writing, describer.programs, describer.memory,
      describer.externalAccess, describer.hostInformation,
    ]
    let described = first.flatMap(\.statements).flatMap(\.calls)
    let last = [
      describer.otherCalls(than: described), describer.resourceLimits, describer.terminationCauses,
      describer.protection,
    ]
    sections =
      first + last + [describer.justifications].compactMap(\.self)
      + (standard.map { [describer.comparison(with: PolicyDescriber($0, mode))] } ?? [])
  }
}

extension PolicyDescription {
  /// The description as JSON.
  package var json: JSONValue {
    ["policy": .string(name), "sections": .array(sections.map(\.json))]
  }

  /// Returns the statements of one kind, with the titles of their sections.
  package func statements(_ kind: Kind) -> [(title: String, statement: Statement)] {
    sections.flatMap { section in
      section.statements.filter { $0.kind == kind }.map { (section.title, $0) }
    }
  }
}

extension PolicyDescription.Section {
  /// The section as JSON.
  package var json: JSONValue {
    ["title": .string(title), "statements": .array(statements.map(\.json))]
  }
}

extension PolicyDescription.Statement {
  /// The statement as JSON.
  package var json: JSONValue {
    .object([
      "kind": .string(kind.rawValue),
      "text": .string(text),
      "items": items.isEmpty ? nil : .array(items.map { .string($0) }),
      "calls": calls.isEmpty ? nil : .array(calls.map { .string($0) }),
    ])
  }
}
