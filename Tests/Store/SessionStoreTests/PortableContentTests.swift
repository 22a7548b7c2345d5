// SPDX-License-Identifier: Apache-2.0

import CLinux
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import SessionStore

/// Content with names that other programs cannot open or that trigger actions.
@Suite(.timeLimit(.minutes(20))) struct PortableContentTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Writes files whose text is their path.
  private func fill(_ content: String, _ paths: [String]) throws {
    for path in paths {
      try FileSystem.makeDirectories(FileSystem.directoryName("\(content)/\(path)"))
      try write(path, to: "\(content)/\(path)")
    }
  }

  private static let hostile = ["-rf", "A.jpg", "a.jpg", "d/.git/config", "D/con", "x*", #"x\y"#]

  @Test func `delivers content with hostile names without losing data`() throws {
    let result = try store.migrate(digests: .sha256) { try fill($0, Self.hostile) }
    let tree = try TemporaryStore.tree(try #require(result.contentPath))
    #expect(Set(tree.values) == Set(Self.hostile))
    #expect(Set(tree.keys) == Set(result.record.files.map(\.path)))
    #expect(tree["A.jpg"] == "A.jpg" && tree["%2Drf"] == "-rf" && tree["D/%63on"] == "D/con")
    let folded = Set(tree.keys.map { $0.lowercased() })
    #expect(folded.count == tree.count)
    let renamed = result.record.sanitized.filter { $0.change == .renamed }
    #expect(result.record.content.renamed == Int64(renamed.count))
    #expect(renamed.compactMap(\.from).sorted() == ["-rf", ".git", "a.jpg", "con", "d", "x*", #"x\x5cy"#])
  }

  @Test func `delivers content as written if the rule of the session says so`() throws {
    let result = try store.migrate(ContentRule(.asWritten)) { try fill($0, Self.hostile + ["\n"]) }
    let expected = Dictionary(uniqueKeysWithValues: Self.hostile.map { ($0, $0) })
    #expect(
      try TemporaryStore.tree(try #require(result.contentPath)) == expected.merging(["%0A": "\n"]) { $1 }
    )
    #expect(result.record.sanitized == [.init(path: "%0A", change: .renamed, from: #"\x0a"#)])
    #expect(result.record.content.renamed == 1)
  }

  @Test(arguments: ContentRule.Form.allCases)
  func `recovery applies the content rule of the journal`(_ form: ContentRule.Form)
    throws
  {
    try fill(store.workspace(ContentRule(form, maximumBytes: 1)).places.contentDirectory, ["-rf"])
    #expect(try Recovery.run(in: store.root).isClean)
    let record = try #require(try DeliveredContent(store.app).list().first?.record)
    #expect(record.files.map(\.path) == [form == .portable ? "%2Drf" : "-rf"])
  }

  @Test func `delivers content portably if the journal of an earlier version has no content rule`() throws {
    let places = try store.workspace(ContentRule(.asWritten)).places
    try fill(places.contentDirectory, ["-rf"])
    let text = String(decoding: try #require(try FileSystem.contents(places.journalFile)), as: UTF8.self)
    let journal = try JSONNode.parse(Array(text.prefix { $0 != "\0" }.utf8)).value
    let members = try #require(journal.members).filter { $0.name != "content" }
    try #require(members.count < journal.members?.count ?? 0)
    try FileSystem.replaceContents(places.journalFile, with: JSONValue.object(members).bytes(.indented))
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(try DeliveredContent(store.app).list().first?.record?.files.map(\.path) == ["%2Drf"])
  }

  @Test func `quarantines a name without a free replacement`() throws {
    let name = Array("-x".utf8)
    // An extension can compute every name that the plan would try.
    let candidates = try (0..<64).map { try NameSpelling(name, .portable).candidate($0) }
    let result = try store.migrate { content in
      try fill(content, ["-x"] + candidates.map { String(decoding: $0, as: UTF8.self) })
    }
    #expect(result.record.quarantined == [.init(path: "-x", reason: .nameNotPortable)])
    #expect(result.record.files.count == 64)
    #expect(result.record.sanitized == [])
  }

  @Test func `records ingested files by their new paths`() throws {
    let workspace = try store.workspace()
    try fill(workspace.places.contentDirectory, ["-d/a:b.jpg", "c.jpg"])
    var draft = store.draft(workspace)
    draft.ingested = ["-d/a:b.jpg", "./-d/a:b.jpg", "c.jpg", "-d/moved"].enumerated().map {
      .init(asset: "\($0)", path: $1)
    }
    let record = try Migration(workspace, draft: draft).run().record
    #expect(record.ingested.map(\.path) == ["%2Dd/a%3Ab.jpg", "%2Dd/a%3Ab.jpg", "c.jpg", "-d/moved"])
  }

  // MARK: - Git

  private static let hasGit = (try? FileSystem.status("/usr/bin/git")) != nil

  /// Commands that create a directory `x` that git takes for a repository. The configuration of a repository
  /// can name programs that git runs.
  private static let repositories = [
    "git init -q x", "git init -q --bare x",
    "git init -q --bare x/elsewhere && cp x/elsewhere/HEAD x && echo elsewhere >x/commondir",
    "mkdir x && git init -q --bare x/repository && echo 'gitdir: repository' >x/.git",
  ]

  /// Runs a command that can call `is_repository DIRECTORY`, without the git configuration of this machine.
  private func runGit(_ command: String, in directory: String) throws {
    try runShell(
      """
      export HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES='\(FileSystem.directoryName(directory))'
      is_repository() { git -C "$1" rev-parse --git-dir; }
      cd '\(directory)'
      \(command)
      """
    )
  }

  @Test(.enabled(if: hasGit, "needs git"), arguments: repositories, ContentRule.Form.allCases)
  func `git takes delivered content for a repository only if it is delivered as written`(
    _ script: String,
    _ form: ContentRule.Form
  ) throws {
    let result = try store.migrate(ContentRule(form)) { content in
      try runGit("\(script) && is_repository x", in: content)
    }
    let content = try #require(result.contentPath)
    switch form {
    case .portable:
      try runGit("find . -type d | while read -r d; do ! is_repository \"$d\" || exit 1; done", in: content)
    case .asWritten: try runGit("is_repository x", in: content)
    }
  }
}
