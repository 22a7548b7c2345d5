// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests that the targets of links, and the paths and names in code voice, exist.
@Suite(.waiting) struct LinkTests {
  /// The documentation catalogs, and their articles.
  private static func catalogs() throws -> [String: [String]] {
    let articles = try SourceTree.files(below: "Sources", suffix: ".md").filter { $0.contains(".docc/") }
    return Dictionary(grouping: articles) { catalog(of: $0) ?? "" }
  }

  /// Returns the path of the documentation catalog with a file, or `nil` if the file is in no catalog.
  private static func catalog(of path: String) -> String? {
    path.firstRange(of: ".docc/").map { "\(path[..<$0.lowerBound]).docc" }
  }

  /// Returns the name of a file without its suffix.
  private static func stem(_ path: String) -> String {
    String(FileSystem.lastComponent(path).prefix { $0 != "." })
  }

  /// Returns the paths of all Markdown files.
  private static func documents() throws -> [String] {
    let folders = try ["Plugins", "Sources", "Tests"].map { try SourceTree.files(below: $0, suffix: ".md") }
    return ["README.md"] + folders.joined()
  }

  @Test func `each article link leads to an article of its catalog, and the names of articles are unique`()
    throws
  {
    for (catalog, articles) in try Self.catalogs() {
      let names = articles.map(Self.stem)
      #expect(Set(names).count == names.count, "\(catalog)")
      for path in articles {
        // DocC checks the sections of links.
        for link in try SourceTree.text(path).matches(of: /<doc:([^>#]+)(?:#[^>]+)?>/) {
          #expect(names.contains(String(link.1)), "\(path): \(link.0)")
        }
      }
    }
  }

  @Test func `the front page of each catalog links all articles of the catalog`() throws {
    let catalogs = try Self.catalogs()
    #expect(catalogs["Sources/Darkroom.docc"]?.count ?? 0 > 40)
    for (catalog, articles) in catalogs {
      let front = "\(catalog)/\(Self.stem(catalog)).md"
      let text = try SourceTree.text(front)
      for path in articles where path != front {
        #expect(text.contains("<doc:\(Self.stem(path))>"), "\(front) has no link to \(path)")
      }
    }
  }

  @Test func `each relative link of a document leads to an existing file and section`() throws {
    for path in try Self.documents() {
      let text = try SourceTree.prose(path).replacing(/`[^`\n]*`/, with: "")
      var links = text.matches(of: /\]\(([^)\s]+)\)/).map { $0.1 }
      links += text.matches(of: /(?m)^\[[^\]]+\]: (\S+)/).map { $0.1 }
      links += text.matches(of: /(?:src|href)="([^"]+)"/).map { $0.1 }
      for link in links where !link.contains(":") {
        let file = String(link.prefix { $0 != "#" })
        let anchor = String(link.dropFirst(file.count + 1))
        let target = file.isEmpty ? path : Self.target(file, in: path)
        let status = try FileSystem.status("\(SourceTree.path)/\(target)")
        #expect(status != nil, "\(path): the target of the link \(link) does not exist")
        if status != nil, !anchor.isEmpty {
          let anchors = try Self.anchors(target)
          #expect(anchors.contains(anchor), "\(path): \(target) has no section \(anchor)")
        }
      }
    }
  }

  /// Returns the path of a link's target. DocC finds an image anywhere in its catalog.
  private static func target(_ link: String, in path: String) -> String {
    let isImage = [".png", ".svg"].contains { link.hasSuffix($0) }
    if let catalog = catalog(of: path), !link.contains("/"), isImage {
      return "\(catalog)/Resources/\(link)"
    }
    let folder = path.contains("/") ? "\(FileSystem.directoryName(path))/" : ""
    return folder + link
  }

  /// Returns the anchors of a document's headings, as code hosts create them.
  private static func anchors(_ path: String) throws -> Set<String> {
    let headings = try SourceTree.prose(path).split(separator: "\n").filter { $0.hasPrefix("#") }
    let anchors = headings.map { heading in
      String(
        heading.drop { $0 == "#" }.dropFirst().lowercased().compactMap { character -> Character? in
          if character == " " { return "-" }
          return character.isLetter || character.isNumber || "-_".contains(character) ? character : nil
        }
      )
    }
    return Set(anchors)
  }

  @Test func `each path of the package in code voice exists`() throws {
    var count = 0
    for path in try Self.documents() {
      for match in try SourceTree.prose(path).matches(
        of: /`((?:\.ci|Plugins|Policies|Sources|Tests)(?:\/[A-Za-z0-9_.+-]+)*)\/?`/
      ) {
        count += 1
        let status = try FileSystem.status("\(SourceTree.path)/\(match.1)")
        #expect(status != nil, "\(path): \(match.1) does not exist")
      }
    }
    #expect(count > 100)
  }

  /// Names with an inner capital in code voice that the package does not declare, with the owner of each name.
  private static let foreignNames = [
    "AVInputPickerInteraction": "Apple", "CustomNSError": "Foundation", "DarkroomModules": "a product",
    "DispatchQueue": "Dispatch", "FoundationEssentials": "Foundation", "LocalizedError": "Foundation",
    "LockedHint": "logind",
    "OpenPipeWireRemote": "the camera portal", "PHImageManager": "Apple", "ProcessInfo": "Foundation",
    "PropInfo": "PipeWire", "RunLoop": "Foundation", "SessionContent": "a directory of containers",
    "SessionRecords": "a directory of containers", "Task": "Swift", "Timer": "Foundation",
  ]
  /// The suffixes of file names that look like members of a type.
  private static let suffixes: Set<Substring> = ["c", "db", "docc", "h", "json", "md", "py", "svg", "swift"]

  @Test func `each type, module and member in code voice is declared`() throws {
    let declared = try Self.declaredNames()
    let known = declared.union(Self.foreignNames.keys)
    var used: Set<String> = []
    for path in try Self.documents() {
      let text = try SourceTree.prose(path)
      for match in text.matches(of: /`([A-Z][A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9]*)`/) {
        used.insert(String(match.1))
        #expect(known.contains(String(match.1)), "\(path): \(match.1) is not declared")
      }
      for match in text.matches(
        of: /`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)((?:\.[A-Za-z_]\w*)+)(?:\([^`)]*\))?`/
      ) {
        let members = match.2.split(separator: ".")
        if let last = members.last, Self.suffixes.contains(last) { continue }
        used.insert(String(match.1))
        if Self.foreignNames[String(match.1)] != nil { continue }
        for name in [match.1] + members {
          #expect(declared.contains(String(name)), "\(path): \(match.0): \(name) is not declared")
        }
      }
    }
    #expect(Set(Self.foreignNames.keys).isSubset(of: used), "foreignNames lists names that no document uses")
  }

  /// Returns the names that the Swift files, the Python package and the D-Bus interfaces declare, and the names of all
  /// files and directories.
  private static func declaredNames() throws -> Set<String> {
    var names: Set<String> = []
    for folder in ["Plugins", "Sources", "Tests"] {
      for path in try SourceTree.files(below: folder, suffix: "") {
        names.formUnion(path.split(separator: "/").map { String($0.prefix { $0 != "." }) })
        if folder == "Sources", path.hasSuffix(".swift") { try insertDeclarations(of: path, into: &names) }
        if path.hasPrefix("Sources/SDK/Python/"), path.hasSuffix(".py") {
          try insertDeclarations(of: path, into: &names)
        }
        if folder == "Sources", path.hasSuffix(".xml") {
          names.formUnion(try SourceTree.text(path).matches(of: /name="([A-Za-z]+)"/).map { String($0.1) })
        }
      }
    }
    return names
  }

  /// Inserts the words of a file that follow a keyword of a declaration.
  private static func insertDeclarations(of path: String, into names: inout Set<String>) throws {
    let keywords: Set<String> = [
      "actor", "case", "class", "def", "enum", "func", "let", "protocol", "struct", "typealias", "var",
    ]
    var isDeclaration = false
    for word in try SourceTree.text(path).utf8.split(whereSeparator: { !isWordByte($0) }) {
      let word = String(Substring(word))
      if isDeclaration { names.insert(word) }
      isDeclaration = keywords.contains(word)
    }
  }

  /// Returns whether a byte belongs to an identifier.
  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
