// SPDX-License-Identifier: Apache-2.0

/// The bounds that a session's content must keep to reach its app.
package struct ContentRule: Hashable, Sendable {
  /// A form in which content is delivered.
  package enum Form: String, Hashable, Sendable, CaseIterable {
    /// Content that every program on every system can open. Other names are changed, and deeper directories quarantined.
    case portable
    /// The names and the depth that the extension chose, except names that a record and a terminal cannot show.
    case asWritten
  }

  /// The form in which content is delivered.
  package var form: Form
  /// The size in bytes that a copy of the content without holes may have. Sparse files beyond the limit are quarantined.
  package var mostBytes: Int64

  /// Creates a rule.
  package init(_ form: Form = .portable, mostBytes: Int64 = .max) {
    self.form = form
    self.mostBytes = mostBytes
  }

  /// The number of directories inside each other that portable content may have.
  package static let mostDepth = 64

  /// The depth that content of this form may have.
  var mostDepth: Int { form == .portable ? Self.mostDepth : .max }
}
