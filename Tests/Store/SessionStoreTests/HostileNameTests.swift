// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import Testing

/// Names that must not reach the app unchanged. The data of such files is delivered under new names.
@Suite struct HostileNameTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Creates a file with an arbitrary name.
  private func createFile(_ name: [UInt8], in directory: String, _ text: String) throws {
    let path =
      Array(directory.utf8).map { CChar(bitPattern: $0) } + [0x2F] + name.map { CChar(bitPattern: $0) } + [0]
    let raw = darkroom_openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    try #require(raw >= 0)
    try Descriptor(owning: raw).writeAll(Array(text.utf8))
  }

  /// Hostile names, their form in a record and their replacements. The names are bytes, so that the output of
  /// the test is harmless.
  static let hostileNames: [(name: [UInt8], shown: String, new: String)] = [
    (Array("a\nb".utf8), #"a\x0ab"#, "a%0Ab"), (Array("\u{1B}[2J".utf8), #"\x1b[2J"#, "%1B%5B2J"),
    ([0x61, 0x7F], #"a\x7f"#, "a%7F"), (Array("\u{202E}gpj".utf8), #"\xe2\x80\xaegpj"#, "%E2%80%AEgpj"),
    ([0x61, 0xFF, 0x62], #"a\xffb"#, "a%FFb"), (Array("\u{2024}".utf8), #"\xe2\x80\xa4"#, "%E2%80%A4"),
    (Array("..\u{200B}".utf8), #"..\xe2\x80\x8b"#, "%2E%2E%E2%80%8B"),
    (Array("...".utf8), "...", "%2E%2E%2E"),
    (Array("..\u{2215}..".utf8), #"..\xe2\x88\x95.."#, "%2E%2E%E2%88%95%2E%2E"),
    (Array("-rf".utf8), "-rf", "%2Drf"), (Array(" a ".utf8), " a ", "%20a%20"),
    (Array("..a".utf8), "..a", "%2E%2Ea"),
    (Array(#"..\a"#.utf8), #"..\x5ca"#, "%2E%2E%5Ca"), (Array("a*?.jpg".utf8), "a*?.jpg", "a%2A%3F.jpg"),
    (Array("'$(a)'".utf8), "'$(a)'", "%27%24(a)%27"), (Array(".git".utf8), ".git", "%2Egit"),
    (Array("con.txt".utf8), "con.txt", "%63on.txt"),
    (Array("a\u{2024}jpg".utf8), "a\u{2024}jpg", "a%E2%80%A4jpg"),
  ]

  @Test(arguments: hostileNames) func `renames a file with a hostile name and delivers its data`(
    _ example: (name: [UInt8], shown: String, new: String)
  ) throws {
    let result = try store.migrate { try createFile(example.name, in: $0, "data") }
    #expect(try TemporaryStore.tree(try #require(result.contentPath)) == [example.new: "data"])
    #expect(result.record.files.map(\.path) == [example.new])
    #expect(result.record.quarantined == [])
    #expect(result.record.sanitized == [.init(path: example.new, change: .renamed, from: example.shown)])
    #expect(result.record.erased == [])
    #expect(try store.leftovers() == [])
  }

  @Test func `renames a directory with a hostile name and delivers its content`() throws {
    let result = try store.migrate(digests: .sha256) { content in
      try FileSystem.makeDirectories("\(content)/a\u{1}/b\u{2}")
      try createFile([0xFF], in: "\(content)/a\u{1}/b\u{2}", "inside")
    }
    #expect(try TemporaryStore.tree(try #require(result.contentPath)) == ["a%01/b%02/%FF": "inside"])
    #expect(result.record.files.map(\.path) == ["a%01/b%02/%FF"])
    #expect(
      Set(result.record.sanitized) == [
        .init(path: "a%01", change: .renamed, from: #"a\x01"#),
        .init(path: "a%01/b%02", change: .renamed, from: #"b\x02"#),
        .init(path: "a%01/b%02/%FF", change: .renamed, from: #"\xff"#),
      ]
    )
  }

  @Test func `a renamed file never replaces another file`() throws {
    let result = try store.migrate { content in
      try createFile(Array("a\n".utf8), in: content, "odd")
      try createFile(Array("a%0A".utf8), in: content, "ordinary")
      try FileSystem.makeDirectory("\(content)/b%0A")
      try createFile(Array("b\n".utf8), in: content, "other")
    }
    let tree = try TemporaryStore.tree(try #require(result.contentPath))
    #expect(tree["a%0A"] == "ordinary")
    #expect(Set(tree.values) == ["odd", "ordinary", "other"])
    #expect(Set(tree.keys) == Set(result.record.files.map(\.path)))
    let sanitized: [String] = result.record.sanitized.map { $0.from ?? "" }
    #expect(sanitized.sorted() == [#"a\x0a"#, #"b\x0a"#])
  }

  @Test func `keeps 255-byte names and shortens names that escaping would make longer`() throws {
    let long = [UInt8](repeating: 0x6E, count: 255)
    let result = try store.migrate { content in
      try createFile(long, in: content, "long")
      for last in 1...9 {
        try createFile([UInt8](repeating: 0x0A, count: 250) + [UInt8(last)], in: content, "\(last)")
      }
    }
    let tree = try TemporaryStore.tree(try #require(result.contentPath))
    #expect(tree[String(decoding: long, as: UTF8.self)] == "long")
    #expect(Set(tree.values) == Set((1...9).map(String.init) + ["long"]))
    #expect(tree.keys.allSatisfy { $0.utf8.count <= 255 })
    #expect(result.record.sanitized.count == 9)
  }

  @Test func `quarantines special files with hostile names`() throws {
    let result = try store.migrate { content in
      try createFile(Array("good".utf8), in: content, "good")
      succeed(symlink("/etc/shadow", "\(content)/a\n"), "symlink")
      succeed(mkfifo("\(content)/b\n", 0o600), "mkfifo")
    }
    #expect(
      Set(result.record.quarantined)
        == [.init(path: #"a\x0a"#, reason: .symbolicLink), .init(path: #"b\x0a"#, reason: .fifo)]
    )
    #expect(result.record.sanitized == [])
  }

  @Test(arguments: [true, false])
  func `recovers the original name if the host dies before or after the rename`(_ isRenamed: Bool) throws {
    let workspace = try store.workspace()
    let places = workspace.places
    let name = isRenamed ? Array("a%0A".utf8) : Array("a\n".utf8)
    try createFile(name, in: places.contentDirectory, "data")
    try createFile(Array("b%0A".utf8), in: places.contentDirectory, "never renamed")
    let inode = try #require(try FileSystem.open(places.contentDirectory, [.directory]).status(of: name))
      .inode
    // Lines of an interrupted verification: a rename, a rename of another inode that had the same path, and a
    // truncated line.
    let lines = """

      {"inode":"\(inode)","path":"a%0A","from":"a\\\\x0a"}
      {"inode":"4","path":"b%0A","from":"b\\\\x0a"}
      {"inode":"5","pa
      """
    try write(lines, to: places.renamedFile)
    let draft = store.draft(workspace)
    let result = try Migration(workspace, draft: draft).run()
    #expect(
      try TemporaryStore.tree(try #require(result.contentPath)) == ["a%0A": "data", "b%0A": "never renamed"]
    )
    #expect(result.record.sanitized == [.init(path: "a%0A", change: .renamed, from: #"a\x0a"#)])
  }

  @Test func `records each hostile name once across many directories`() throws {
    let result = try store.migrate { content in
      for directory in 0..<100 {
        try FileSystem.makeDirectory("\(content)/\(directory)\n")
        try createFile([0x0A], in: "\(content)/\(directory)\n", "\(directory)")
      }
    }
    let expected = (0..<100).flatMap { ["\($0)%0A", "\($0)%0A/%0A"] }
    #expect(Set(result.record.sanitized.map(\.path)) == Set(expected))
    #expect(result.record.sanitized.count == 200)
    #expect(result.record.files.count == 100)
  }
}
