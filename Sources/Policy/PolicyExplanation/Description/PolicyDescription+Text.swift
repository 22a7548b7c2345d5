// SPDX-License-Identifier: Apache-2.0

extension PolicyDescription {
  /// The legend of the marks before statements.
  package static let legend = "+ allowed   - not allowed   ! risk"

  /// Returns the description as text, in lines of at most the given width where words allow it.
  package func lines(width: Int) -> [String] {
    var text = WrappedText(width: width)
    text.add("Policy \(name)   \(Self.legend)")
    for section in sections {
      text.addBlankLine()
      text.add(section.title)
      for statement in section.statements {
        text.add(statement.text, mark: statement.kind.mark, indent: 2)
        for item in statement.items { text.add(item, mark: "· ", indent: 6) }
      }
    }
    return text.lines
  }
}

extension PolicyDescription.Kind {
  /// The mark before a statement of the kind.
  fileprivate var mark: String {
    switch self {
    case .fact: "  "
    case .can: "+ "
    case .cannot: "- "
    case .warning: "! "
    }
  }
}
