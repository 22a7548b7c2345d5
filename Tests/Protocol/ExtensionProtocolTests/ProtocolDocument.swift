// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// The protocol document, parsed into sections.
struct ProtocolDocument {
  /// The section of one message: its name, its sender, its field table and its examples.
  struct Section {
    var name: String
    var fromHost: Bool
    var fields: [String] = []
    /// The fields that a sender may omit.
    var optional: Set<String> = []
    /// The fields for which absence and null have different meanings.
    var absenceSensitive: Set<String> = []
    var examples: [[UInt8]] = []
  }

  /// All lines of the document.
  let lines: [String]
  /// The messages in document order.
  let sections: [Section]

  /// Reads `Protocol.md` from the documentation catalog.
  init() throws {
    let sources = "\(PackageDirectory.path)/Sources"
    let path = "\(sources)/Darkroom.docc/Reference/Protocol.md"
    let bytes = try #require(try FileSystem.contents(path))
    lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    sections = Self.sections(lines)
  }

  /// The rows of all tables, as cells without backquotes.
  var rows: [[String]] { lines.compactMap(Self.cells) }

  private static func cells(_ line: String) -> [String]? {
    guard line.hasPrefix("| "), line.hasSuffix(" |") else { return nil }
    return line.dropFirst(2).dropLast(2).split(separator: " | ").map { String($0).replacing("`", with: "") }
  }

  private static func sections(_ lines: [String]) -> [Section] {
    var sections: [Section] = []
    var fromHost: Bool?
    for line in lines {
      if line.hasPrefix("## ") {
        fromHost =
          line.hasPrefix("## From the host") ? true : line.hasPrefix("## From the extension") ? false : nil
      }
      guard let fromHost else { continue }
      if line.hasPrefix("### ") {
        sections.append(Section(name: String(line.dropFirst(4)).replacing("`", with: ""), fromHost: fromHost))
      }
      guard !sections.isEmpty else { continue }
      if line.hasPrefix("{") { sections[sections.count - 1].examples.append(Array(line.utf8)) }
      if let cells = cells(line), cells[0] != "field" {
        sections[sections.count - 1].fields.append(cells[0])
        if cells.last?.contains("may be left out") == true {
          sections[sections.count - 1].optional.insert(cells[0])
        }
        if cells.last?.contains("if it is absent") == true {
          sections[sections.count - 1].absenceSensitive.insert(cells[0])
        }
      }
    }
    return sections
  }
}
