// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy

/// A policy as a person would describe it: what an extension under it can do, what it cannot, and how much of everything.
///
/// Every sentence is worked out from what the rules of the policy allow, so that another policy gets other sentences.
package struct PolicyDescription: Sendable, Hashable {
  /// The policy's name.
  package let name: String
  /// The parts, in the order of the questions that an auditor asks.
  package let sections: [Section]

  /// One question and its answer.
  package struct Section: Sendable, Hashable {
    /// What it is about: `What it can read`.
    package var title: String
    /// The answer.
    package var statements: [Statement]
  }

  /// A sentence, and what it lists.
  package struct Statement: Sendable, Hashable {
    /// What kind of statement it is.
    package var kind: Kind
    /// The sentence; one that lists something ends with a colon.
    package var text: String
    /// What it lists; each item is a line without a full stop.
    package var items: [String]
    /// The allowed calls that it speaks of.
    package var calls: [String]

    /// Makes a statement.
    package init(_ kind: Kind, _ text: String, _ items: [String] = [], about calls: [String] = []) {
      self.kind = kind
      self.text = text
      self.items = items
      self.calls = calls
    }
  }

  /// What a statement does for whoever has to sign off.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A plain fact.
    case fact
    /// The extension can do something.
    case can
    /// The extension can't do something.
    case cannot
    /// The extension can do something that most policies keep from it, or a protection may be missing.
    case beware
  }

  /// Describes a policy.
  ///
  /// `standard` is the policy that others are measured by; nil leaves the comparison out. `mode` says what kind of session
  /// the sentences are about; what such a session takes from the policy is taken here.
  package init(
    of policy: ResolvedPolicy,
    comparedWith standard: ResolvedPolicy? = nil,
    mode: SessionMode = .namespaces
  ) {
    let describer = PolicyDescriber(policy, mode)
    name = policy.name
    let first = [
      describer.identity, describer.reading, describer.writing, describer.programs, describer.memory,
      describer.surroundings, describer.machine,
    ]
    let told = first.flatMap(\.statements).flatMap(\.calls)
    let last = [describer.otherCalls(than: told), describer.amounts, describer.ends, describer.protection]
    sections =
      first + last + [describer.reasons].compactMap(\.self)
      + (standard.map { [describer.comparison(with: PolicyDescriber($0, mode))] } ?? [])
  }
}

extension PolicyDescription {
  /// The description as data.
  package var json: JSONValue {
    ["policy": .string(name), "sections": .array(sections.map(\.json))]
  }

  /// The statements of one kind, with the titles of their sections.
  package func statements(_ kind: Kind) -> [(title: String, statement: Statement)] {
    sections.flatMap { section in
      section.statements.filter { $0.kind == kind }.map { (section.title, $0) }
    }
  }
}

extension PolicyDescription.Section {
  /// The section as data.
  package var json: JSONValue {
    ["title": .string(title), "statements": .array(statements.map(\.json))]
  }
}

extension PolicyDescription.Statement {
  /// The statement as data.
  package var json: JSONValue {
    .object([
      "kind": .string(kind.rawValue),
      "text": .string(text),
      "items": items.isEmpty ? nil : .array(items.map { .string($0) }),
      "calls": calls.isEmpty ? nil : .array(calls.map { .string($0) }),
    ])
  }
}
