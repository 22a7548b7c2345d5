// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import DarkroomCommands
import TestSupport
import Testing

/// Tests of the article that compares the commands with the host library.
@Suite(.waiting) struct CommandAndLibraryTests {
  private static let article = "Sources/Darkroom.docc/Reference/CommandAndLibrary.md"
  /// The digests of the public declarations by module.
  private static let digests = [
    "DarkroomHost": "Sources/Host/DarkroomHost/API.txt",
    "DarkroomWorkshop": "Sources/Workshop/DarkroomWorkshop/API.txt",
  ]

  @Test func `has one row for each command without subcommands`() throws {
    let rows = try SourceTree.tableRows(in: Self.article, below: "## Commands")
    let commands = CommandPath(DarkroomCommandLine.spec).tree.filter { $0.command.subcommands.isEmpty }
    #expect(commands.count > 60)
    #expect(Set(rows.compactMap(\.first)) == Set(commands.map(\.commandLine)))
    #expect(rows.count == commands.count)
  }

  @Test func `each function and type of a row is public in the module of the row`() throws {
    for row in try SourceTree.tableRows(in: Self.article, below: "## Commands") {
      try #require(row.count == 3, "\(row)")
      guard row[1] != "none" else {
        #expect(Self.digests[row[2]] == nil && row[2].hasSuffix("."), "\(row)")
        continue
      }
      let text = try SourceTree.text(try #require(Self.digests[row[2]], "\(row)"))
      let declarations = text.split(separator: "\n").map(String.init)
      for symbol in row[1].split(separator: ",").map({ $0.drop { $0 == " " } }) {
        let parts = symbol.split(separator: ".").map(String.init)
        try #require(parts.count == 2, "\(row)")
        #expect(declarations.contains { Self.declares($0, parts[0], parts[1]) }, "\(row[0]): \(symbol)")
      }
    }
  }

  @Test func `the search finds no member that a type lacks (control)`() {
    let line = "HostLock: public func lock() async throws(HostError)"
    #expect(Self.declares(line, "HostLock", "lock"))
    #expect(!Self.declares(line, "HostLock", "loc") && !Self.declares(line, "Lock", "lock"))
    #expect(!Self.declares(line, "HostLock", "HostError"))
  }

  /// Returns whether a line of a digest declares a member of a type.
  private static func declares(_ line: String, _ type: String, _ member: String) -> Bool {
    guard line.hasPrefix("\(type): ") else { return false }
    let words = line.dropFirst(type.count + 2).split { " (:<".contains($0) }
    if member == "init" { return words.contains("init") }
    guard let keyword = words.firstIndex(where: { ["func", "let", "var", "case"].contains($0) }) else {
      return false
    }
    return words.dropFirst(keyword + 1).first == member[...]
  }
}
