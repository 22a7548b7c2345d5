// SPDX-License-Identifier: Apache-2.0

extension AuditReport {
  /// The report as a self-contained HTML page for screens and paper, without scripts or external resources.
  package var page: String {
    var html = HTMLWriter()
    html.writeMarkup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    // Defense in depth: injected markup could neither load resources nor run scripts.
    html.writeMarkup(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    )
    html.writeMarkup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    html.writeMarkup("<meta name=\"color-scheme\" content=\"light dark\">\n")
    html.element("title", text: title)
    html.writeMarkup("<style>\(AuditStyleSheet.text)</style>\n</head>\n<body>\n")
    html.element("header") { header in
      header.element("h1", text: title)
      Self.write(provenance, to: &header)
    }
    writeContents(&html)
    html.element("main") { main in
      for (index, part) in parts.enumerated() { Self.write(part, index, to: &main) }
    }
    html.writeMarkup("</body>\n</html>\n")
    return html.text
  }

  /// Returns the ID of a section's element in the page.
  private static func anchor(_ part: Int, _ section: AuditSection) -> String { "part\(part)-\(section.id)" }

  private func writeContents(_ html: inout HTMLWriter) {
    html.element("nav", "aria-label=\"Contents\"") { nav in
      for (index, part) in parts.enumerated() {
        if parts.count > 1 { nav.element("p", text: part.title) }
        nav.element("ol") { list in
          for section in part.sections {
            list.element("li") {
              $0.element("a", "href=\"#\(Self.anchor(index, section))\"", text: section.title)
            }
          }
        }
      }
    }
  }

  private static func write(_ part: AuditPart, _ index: Int, to html: inout HTMLWriter) {
    html.element("article") { article in
      article.element("h2", text: part.title)
      for section in part.sections {
        let id = anchor(index, section)
        article.element("section", "id=\"\(id)\" aria-labelledby=\"\(id)-title\"") { inner in
          inner.element("h3", "id=\"\(id)-title\"", text: section.title)
          for block in section.blocks { write(block, to: &inner) }
        }
      }
    }
  }

  private static func write(_ block: AuditBlock, to html: inout HTMLWriter) {
    switch block {
    case .text(let text): html.element("p", text: text)
    case .facts(let facts): write(facts, to: &html)
    case .table(let table): write(table, to: &html)
    case .statements(let title, let statements):
      if !title.isEmpty { html.element("h4", text: title) }
      html.element("ul", "class=\"statements\"") { list in
        for statement in statements { write(statement, to: &list) }
      }
    case .notice(let mark, let text):
      html.element("p", "class=\"notice \(mark.rawValue)\"") { paragraph in
        if let word = mark.word { paragraph.element("strong", text: word.uppercased() + ":") }
        paragraph.write(text)
      }
    }
  }

  private static func write(_ facts: [AuditFact], to html: inout HTMLWriter) {
    html.element("dl") { list in
      for fact in facts {
        list.element("div") {
          $0.element("dt", text: fact.name)
          $0.element("dd", text: fact.value)
        }
      }
    }
  }

  private static func write(_ statement: AuditStatement, to html: inout HTMLWriter) {
    html.element("li", "class=\"\(statement.mark.rawValue)\"") { item in
      if let word = statement.mark.word { item.element("strong", text: word) }
      item.write(" \(statement.text)")
      guard !statement.items.isEmpty else { return }
      item.element("ul") { list in
        for each in statement.items { list.element("li", text: each) }
      }
    }
  }

  private static func write(_ table: AuditTable, to html: inout HTMLWriter) {
    html.element("table") { element in
      element.element("caption", text: table.caption)
      element.element("thead") { head in
        head.element("tr") { row in
          for column in table.columns { row.element("th", "scope=\"col\" class=\"whole\"", text: column) }
        }
      }
      element.element("tbody") { body in
        for row in table.rows {
          body.element("tr") { line in
            for (index, cell) in row.enumerated() {
              let fit = hasLongWord(cell.text) ? "" : " whole"
              if index == 0 {
                line.element("th", "scope=\"row\" class=\"\(fit)\"", text: cell.text)
              } else {
                line.element("td", "class=\"\(cell.mark.rawValue)\(fit)\"", text: cell.text)
              }
            }
          }
        }
      }
    }
  }

  /// Whether a text contains a word that does not fit into a narrow column, such as a digest or a path, and
  /// must be broken.
  private static func hasLongWord(_ text: String) -> Bool {
    text.split { $0 == " " || $0 == "-" }.contains { $0.count > 14 }
  }
}
