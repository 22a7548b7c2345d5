// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// The package's own files.
enum SourceTree {
  /// The package's folder.
  static let path = PackageDirectory.path

  /// The text of a file.
  static func text(_ path: String) throws -> String {
    String(
      decoding: try #require(try FileSystem.contents("\(Self.path)/\(path)", limit: 1 << 22)),
      as: UTF8.self
    )
  }

  /// The names in a folder, in order; those with a dot first are left out.
  static func names(_ folder: String) throws -> [String] {
    try FileSystem.names(in: "\(path)/\(folder)").filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The paths of all files below a folder whose names end so.
  static func files(below folder: String, suffix: String) throws -> [String] {
    try names(folder).flatMap { name throws -> [String] in
      let path = "\(folder)/\(name)"
      if try FileSystem.status("\(Self.path)/\(path)")?.kind == .directory {
        return try files(below: path, suffix: suffix)
      }
      return name.hasSuffix(suffix) ? [path] : []
    }
  }

  /// Every document that tells a reader to do something.
  static func documents() throws -> [String] {
    let examples = try files(below: "Plugins", suffix: "README.md")
    let articles = try files(below: "Sources", suffix: ".md").filter { $0.contains(".docc/") }
    return ["README.md"] + examples + articles
  }

  /// A document, taken apart.
  static func document(_ path: String) throws -> MarkdownDocument {
    MarkdownDocument(path: path, text: try text(path))
  }

  /// The rows of the tables below a heading, as cells without marks.
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
