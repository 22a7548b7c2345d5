// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// What a person reads who has to sign off: a value that is shown as text, as data, and as a page.
package struct AuditReport: Sendable, Hashable {
  /// What it is about.
  var title: String
  /// When, where and by what it was made.
  package var made: [AuditFact]
  /// What there is to say, extension by extension.
  var parts: [AuditPart]

  /// Creates a value from its parts.
  package init(
    title: String,
    made: [AuditFact],
    parts: [AuditPart]
  ) {
    self.title = title
    self.made = made
    self.parts = parts
  }
}

/// What a report says of one extension, or of an app.
package struct AuditPart: Sendable, Hashable {
  /// The id of the extension or the app.
  var id: String
  /// What stands above it.
  var title: String
  /// The answers, in the order of an auditor's questions.
  package var sections: [AuditSection]
}

/// One question of an auditor's, and its answer.
package struct AuditSection: Sendable, Hashable {
  /// A word for programs and for links.
  var id: String
  /// What stands above it.
  var title: String
  /// The answer for people.
  var blocks: [AuditBlock]
  /// The answer for programs.
  var data: JSONValue
}

/// A piece of an answer.
enum AuditBlock: Sendable, Hashable {
  /// Sentences.
  case text(String)
  /// Names and what they are.
  case facts([AuditFact])
  /// Rows and columns.
  case table(AuditTable)
  /// A heading within the section, and statements below it.
  case statements(String, [AuditStatement])
  /// Something that has to be seen.
  case notice(AuditMark, String)
}

/// A name and what it is.
package struct AuditFact: Sendable, Hashable {
  /// The name.
  package var name: String
  /// What it is.
  package var value: String

  /// Names a fact.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A statement about what can be done and what not.
struct AuditStatement: Sendable, Hashable {
  /// What kind of statement it is.
  var mark: AuditMark
  /// The sentence.
  var text: String
  /// What it lists.
  var items: [String]
}

/// What a statement or a cell means for whoever signs, said in a word and shown in a colour.
enum AuditMark: String, Sendable, Hashable {
  /// Nothing to decide.
  case note
  /// The extension can do something.
  case can
  /// The extension cannot do something, or something is as it should be.
  case good
  /// Something to think about before signing.
  case beware
  /// Something is not as it should be.
  case bad

  /// The word in front of a statement; none for a plain one.
  var word: String? {
    switch self {
    case .note: nil
    case .can: "can"
    case .good: "cannot"
    case .beware: "beware"
    case .bad: "wrong"
    }
  }
}

/// Rows and columns; the first cell of each row names the row.
struct AuditTable: Sendable, Hashable {
  /// What it shows, in a sentence.
  var caption: String
  /// What stands above the columns.
  var columns: [String]
  /// The rows, each with a cell for every column.
  var rows: [[AuditCell]]
}

/// A cell of a table.
struct AuditCell: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// What stands in it.
  var text: String
  /// What that means.
  var mark: AuditMark

  /// Makes a cell.
  init(_ text: String, _ mark: AuditMark = .note) {
    self.text = text
    self.mark = mark
  }

  /// A cell that means nothing beyond its text.
  init(stringLiteral value: String) { self.init(value) }
}
