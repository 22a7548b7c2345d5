// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// The declarations of types in Sources, found by their indentation: `swift format` fixes it to two spaces a level.
struct Declarations {
  /// A type declaration or an extension.
  struct Declaration {
    /// `enum`, `struct`, `class`, `actor`, `protocol` or `extension`.
    var keyword: String
    /// The name with its module, such as `AppBundles.CatalogError`.
    var name: String
    /// The types that follow the colon.
    var inherited: [String]
    /// The path of the file, and the line.
    var place: String
    /// The names of the cases, if it is an enumeration.
    var cases: [String] = []
    fileprivate var indentation: Int
  }

  /// All declarations.
  private(set) var all: [Declaration] = []
  /// The failures that are written where they are thrown.
  private(set) var failures: [WrittenFailure] = []

  private static let keywords: Set<Substring> = ["enum", "struct", "class", "actor", "protocol", "extension"]
  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "private", "fileprivate", "final", "indirect", "nonisolated",
  ]

  /// Reads all Swift files in Sources.
  init() throws {
    for path in try Self.files("Sources") {
      let contents = try #require(try FileSystem.contents("\(PackageDirectory.path)/\(path)", limit: 1 << 22))
      let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      read(lines, path)
    }
  }

  /// The declared error types, by their names: those that conform to `Error` or to a protocol that refines it.
  var errors: [Declaration] {
    let protocols = all.filter { $0.keyword == "protocol" && $0.inherited.contains("Error") }
      .map { String($0.name.split(separator: ".").last ?? "") }
    let marks = Set(["Error", "any Error", "LocalizedError"] + protocols)
    return all.filter { $0.keyword != "protocol" && !marks.isDisjoint(with: $0.inherited) }
  }

  /// Returns the declaration of a type.
  func declaration(_ name: String) -> Declaration? {
    all.first { $0.name == name && $0.keyword != "extension" }
  }

  private static func files(_ folder: String) throws -> [String] {
    try FileSystem.names(in: "\(PackageDirectory.path)/\(folder)").sorted().flatMap {
      name throws -> [String] in
      let path = "\(folder)/\(name)"
      if try FileSystem.status("\(PackageDirectory.path)/\(path)")?.kind == .directory {
        return try files(path)
      }
      return name.hasSuffix(".swift") ? [path] : []
    }
  }

  private mutating func read(_ lines: [String], _ path: String) {
    // Sources/FLOOR/MODULE, or Sources/SDK/Apple/MODULE.
    let folders = path.split(separator: "/").dropFirst(2)
    let module = folders.first { $0 != "Apple" } ?? ""
    // The indices of the declarations that enclose the line.
    var enclosing: [Int] = []
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      guard let first = text.first, first != "/" else { continue }
      let indentation = line.count - text.count
      if first == "}" {
        while let last = enclosing.last, all[last].indentation >= indentation { enclosing.removeLast() }
        continue
      }
      if text.hasPrefix("case ") || text.hasPrefix("indirect case ") {
        if let owner = enclosing.last(where: { all[$0].indentation == indentation - 2 }),
          all[owner].keyword == "enum"
        {
          all[owner].cases += Self.caseNames(text)
        }
      }
      failures += WrittenFailure(lines[number...], path).map { [$0] } ?? []
      let words = text.prefix { $0 != ":" && $0 != "{" && $0 != "<" }.split(separator: " ")
        .drop { Self.modifiers.contains($0) || $0.hasPrefix("@") }
      guard words.count >= 2, let keyword = words.first, Self.keywords.contains(keyword) else { continue }
      let name = words[words.startIndex + 1]
      guard let initial = name.first, initial.isUppercase else { continue }
      while let last = enclosing.last, all[last].indentation >= indentation { enclosing.removeLast() }
      let outer = enclosing.last.map { all[$0].name } ?? String(module)
      enclosing.append(all.count)
      all.append(
        Declaration(
          keyword: String(keyword),
          name: "\(outer).\(name)",
          inherited: Self.inherited(lines[number...]),
          place: "\(path):\(number + 1)",
          indentation: indentation
        )
      )
    }
  }

  /// Returns the names in `case a, b(Int)`, or none for a pattern.
  private static func caseNames(_ text: Substring) -> [String] {
    var names: [String] = []
    var (depth, name, isName) = (0, "", true)
    for character in text.drop(while: { $0 != " " }).replacing("case ", with: "") + "," {
      switch character {
      case "(", "<", "[": depth += 1
      case ")", ">", "]": depth -= 1
      case "," where depth == 0:
        if !name.isEmpty { names.append(name) }
        (name, isName) = ("", true)
        continue
      default: break
      }
      if depth > 0 || character == "=" || character == ":" { isName = false }
      if isName, character.isLetter || character.isNumber || character == "." { name.append(character) }
    }
    return names.filter { $0.first?.isLowercase ?? false }
  }

  /// Returns the types between the colon and the brace of a declaration, which may have several lines.
  private static func inherited(_ lines: ArraySlice<String>) -> [String] {
    var header = ""
    for line in lines.prefix(6) {
      header += line
      if line.contains("{") { break }
    }
    var (depth, list, isList) = (0, "", false)
    for character in header.prefix(while: { $0 != "{" }) {
      if character == "<" { depth += 1 }
      if depth == 0, isList { list.append(character) }
      if depth == 0, character == ":" { isList = true }
      if character == ">" { depth -= 1 }
    }
    return list.split(separator: " where ").first.map {
      $0.split(separator: ",").map { String($0.split(separator: " ").joined(separator: " ")) }
    } ?? []
  }
}
