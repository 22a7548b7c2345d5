// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Access to the files of the package.
enum SourceTree {
  static let path = PackageDirectory.path

  /// Returns the text of a file.
  static func text(_ path: String) throws -> String {
    String(
      decoding: try #require(try FileSystem.contents("\(Self.path)/\(path)", limit: 1 << 22)),
      as: UTF8.self
    )
  }

  /// Returns the sorted names in a directory, without hidden files.
  static func names(_ folder: String) throws -> [String] {
    try FileSystem.names(in: "\(path)/\(folder)").filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Returns the paths of all files below a directory whose names have a suffix.
  static func files(below folder: String, suffix: String) throws -> [String] {
    try names(folder).flatMap { name throws -> [String] in
      let path = "\(folder)/\(name)"
      if try FileSystem.status("\(Self.path)/\(path)")?.kind == .directory {
        return try files(below: path, suffix: suffix)
      }
      return name.hasSuffix(suffix) ? [path] : []
    }
  }

  /// Returns the paths of all documents that can contain commands.
  static func documents() throws -> [String] {
    let examples = try files(below: "Plugins", suffix: "README.md")
    let articles = try files(below: "Sources", suffix: ".md").filter { $0.contains(".docc/") }
    return ["README.md"] + examples + articles
  }

  /// Returns a parsed document.
  static func document(_ path: String) throws -> MarkdownDocument {
    MarkdownDocument(path: path, text: try text(path))
  }

  /// Returns the text of a document outside of its code blocks.
  static func prose(_ path: String) throws -> String {
    var isCode = false
    var lines: [Substring] = []
    for line in try text(path).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isCode.toggle() } else if !isCode { lines.append(line) }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the cells of the table rows below a heading, without backticks.
  static func tableRows(in path: String, below heading: String) throws -> [[String]] {
    let lines = try text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex(of: heading), "\(path) has no heading \(heading)")
    let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
    let rows = section.filter { $0.hasPrefix("|") }.map { row in
      row.dropFirst().dropLast().split(separator: "|").map { cell in
        String(cell.filter { $0 != "`" }.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
    }
    return rows.filter { $0.first != "---" }.dropFirst().map { $0 }
  }
}
