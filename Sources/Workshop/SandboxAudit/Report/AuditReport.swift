// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The report with which an auditor signs off an extension. It can be rendered as text, JSON or HTML.
package struct AuditReport: Sendable, Hashable {
  /// The title of the report.
  var title: String
  /// The time, the machine and the version with which the report was created.
  package var provenance: [AuditFact]
  /// The parts, one for each extension or app.
  var parts: [AuditPart]

  /// Creates a value from its parts.
  package init(
    title: String,
    made: [AuditFact],
    parts: [AuditPart]
  ) {
    self.title = title
    self.provenance = made
    self.parts = parts
  }
}

/// The part of a report about one extension or app.
package struct AuditPart: Sendable, Hashable {
  /// The ID of the extension or the app.
  var id: String
  /// The heading of the part.
  var title: String
  /// The sections, in the order of an auditor's questions.
  package var sections: [AuditSection]
}

/// A section of a report: the answer to one question.
package struct AuditSection: Sendable, Hashable {
  /// The identifier for JSON and for links.
  var id: String
  /// The heading of the section.
  var title: String
  /// The answer for people.
  var blocks: [AuditBlock]
  /// The answer as JSON.
  var data: JSONValue
}

/// An element of a section.
enum AuditBlock: Sendable, Hashable {
  /// A paragraph.
  case text(String)
  /// A list of facts.
  case facts([AuditFact])
  /// A table.
  case table(AuditTable)
  /// A heading within the section, with statements below it.
  case statements(String, [AuditStatement])
  /// A highlighted paragraph.
  case notice(AuditMark, String)
}

/// A fact: a name and its value.
package struct AuditFact: Sendable, Hashable {
  package var name: String
  package var value: String

  /// Creates a fact from its parts.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A statement about the abilities of an extension.
struct AuditStatement: Sendable, Hashable {
  /// The kind of the statement.
  var mark: AuditMark
  /// The sentence.
  var text: String
  /// The items that the sentence lists.
  var items: [String]
}

/// The meaning of a statement or a cell for the signer of the report, shown as a word and a color.
enum AuditMark: String, Sendable, Hashable {
  /// For information.
  case note
  /// The extension can do something.
  case can
  /// The extension cannot do something, or a property is as it should be.
  case good
  /// Something to consider before signing.
  case warning
  /// A property is not as it should be.
  case bad

  /// The word before a statement, or `nil` for information.
  var word: String? {
    switch self {
    case .note: nil
    case .can: "can"
    case .good: "cannot"
    case .warning: "warning"
    case .bad: "problem"
    }
  }
}

/// A table. The first cell of each row is its heading.
struct AuditTable: Sendable, Hashable {
  /// The caption, as a sentence.
  var caption: String
  /// The titles of the columns.
  var columns: [String]
  /// The rows, each with a cell for every column.
  var rows: [[AuditCell]]
}

/// A cell of a table.
struct AuditCell: Sendable, Hashable, ExpressibleByStringInterpolation {
  var text: String
  /// The meaning of the text.
  var mark: AuditMark

  /// Creates a cell from its parts.
  init(_ text: String, _ mark: AuditMark = .note) {
    self.text = text
    self.mark = mark
  }

  /// Creates a cell for information.
  init(stringLiteral value: String) { self.init(value) }
}
