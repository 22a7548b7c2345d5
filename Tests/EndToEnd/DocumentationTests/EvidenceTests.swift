// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests that the tests exist that the tables of complaints and of Apple's API name as evidence.
@Suite(.waiting) struct EvidenceTests {
  private static let catalog = "Sources/Darkroom.docc/Reference"
  /// The table of complaints.
  private static let complaints = "\(catalog)/AppleAPIComplaints.md"
  /// The table of Apple's API.
  private static let api = "\(catalog)/AppleAPI.md"
  /// The number of rows in each section of the table of Apple's API.
  private static let sections = [
    ("A", 13), ("B", 7), ("C", 9), ("D", 13), ("E", 13), ("F", 14), ("G", 16), ("H", 9), ("I", 14), ("J", 24),
    ("K", 7),
  ]

  /// Returns the tests in a table cell: the suite, which is the file's name, and the title.
  private func tests(_ cell: String) throws -> [(suite: String, title: String)] {
    try cell.split(separator: "; <br>").map { name in
      let match = try #require(name.wholeMatch(of: #/ *([A-Za-z0-9]+Tests): (.+?) */#), "\(name)")
      return (String(match.1), String(match.2))
    }
  }

  /// Checks that the tests in a table cell exist.
  private func expectTests(_ cell: String, _ location: String, _ files: [String: String]) throws {
    for test in try tests(cell) {
      guard let text = files["\(test.suite).swift"] else {
        Issue.record("\(location): there is no file \(test.suite).swift below Tests")
        continue
      }
      #expect(
        text.contains("func `\(test.title)`"),
        "\(location): \(test.suite) has no such test: \(test.title)"
      )
    }
  }

  /// Returns the text of each test file by name, with single spaces. Files of the same name are joined.
  private func files() throws -> [String: String] {
    var texts: [String: String] = [:]
    for path in try SourceTree.files(below: "Tests", suffix: "Tests.swift") {
      let text = try SourceTree.text(path).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      texts[FileSystem.lastComponent(path), default: ""] += text
    }
    return texts
  }

  @Test func `each complaint has an answer that names existing tests, or a reason`() throws {
    let rows = try SourceTree.tableRows(in: Self.complaints, below: "## Complaints")
    #expect(rows.map { $0[0] } == (1...39).map(String.init))
    let files = try files()
    for row in rows {
      try #require(row.count == 4, "complaint \(row[0]) has \(row.count) cells")
      let isAnswered = ["answered", "partly"].contains(row[2].prefix { $0 != ":" })
      #expect(isAnswered || row[2].hasPrefix("not applicable: ") || row[2].hasPrefix("not yet: "), "\(row)")
      #expect(isAnswered == (row[3] != "–"), "complaint \(row[0]): an answer is shown by a test")
      if isAnswered { try expectTests(row[3], "complaint \(row[0])", files) }
    }
  }

  @Test func `each row of the table of Apple's API has a state, and the tests it names exist`() throws {
    let rows = try SourceTree.tableRows(in: Self.api, below: "## Features")
    #expect(
      rows.map { $0[0] } == Self.sections.flatMap { section in (1...section.1).map { "\(section.0)\($0)" } }
    )
    let files = try files()
    for row in rows {
      try #require(row.count == 4, "row \(row[0]) has \(row.count) cells")
      switch row[2].prefix(while: { $0 != ":" }) {
      case "there", "partly": try expectTests(row[3], "row \(row[0])", files)
      case "not applicable", "not yet":
        #expect(row[2].contains(": ") && row[3] == "–", "row \(row[0]) has no reason, or a test of nothing")
      default: Issue.record("row \(row[0]) has no state: \(row[2])")
      }
    }
  }
}
