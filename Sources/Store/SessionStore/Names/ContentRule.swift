// SPDX-License-Identifier: Apache-2.0

/// The rules for content that may be delivered.
package struct ContentRule: Hashable, Sendable {
  /// A form in which content is delivered.
  package enum Form: String, Hashable, Sendable, CaseIterable {
    /// Content that every program on every system can open. Other names are changed, and deeper directories
    /// are quarantined.
    case portable
    /// The names and depth chosen by the extension, except for names that a record or terminal cannot
    /// display.
    case asWritten
  }

  /// The form in which content is delivered.
  package var form: Form
  /// The maximum size in bytes of a copy of the content without holes. Sparse files beyond it are
  /// quarantined.
  package var maximumBytes: Int64

  /// Creates a rule.
  package init(_ form: Form = .portable, maximumBytes: Int64 = .max) {
    self.form = form
    self.maximumBytes = maximumBytes
  }

  /// The maximum directory depth of portable content.
  package static let maximumDepth = 64

  /// The maximum directory depth of content in this form.
  var maximumDepth: Int { form == .portable ? Self.maximumDepth : .max }
}
