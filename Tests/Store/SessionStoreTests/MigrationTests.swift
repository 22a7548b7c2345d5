// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct MigrationTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `migrates complete content with a record and leaves nothing behind`() throws {
    let result = try store.migrate { content in
      try write("one", to: "\(content)/1.txt")
      try FileSystem.makeDirectories("\(content)/deep/er")
      try write("three", to: "\(content)/deep/er/3.txt")
    }
    let path = try #require(result.contentPath)
    #expect(try TemporaryStore.tree(path) == ["1.txt": "one", "deep/er/3.txt": "three"])
    #expect(path == store.app.content(result.record.sessionID))
    #expect(result.record.files.map(\.path) == ["1.txt", "deep/er/3.txt"])
    #expect(result.record.files.map(\.size) == [3, 5])
    #expect(result.record.content == .init(files: 2, bytes: 8, delivered: true))
    #expect(try store.leftovers() == [])
    let published = try DeliveredContent(store.app).list().first?.record
    #expect(published == result.record)
  }

  @Test func `performs the steps in the order of their table`() throws {
    let result = try store.migrate { _ in }
    #expect(result.steps.map(\.name) == MigrationStep.allCases.map(\.rawValue))
  }

  @Test func `a session without files leaves a record and no content`() throws {
    let result = try store.migrate { try FileSystem.makeDirectories("\($0)/only/folders") }
    #expect(result.contentPath == nil)
    #expect(result.record.content == .init(files: 0, bytes: 0, delivered: false))
    #expect(try FileSystem.names(in: store.app.contentDirectory) == [])
    #expect(try FileSystem.names(in: store.app.recordsDirectory) == ["\(result.record.sessionID).json"])
    #expect(try store.leftovers() == [])
  }

  @Test func `records digests only if requested`() throws {
    let with = try store.migrate(digests: .sha256) { try write("abc", to: "\($0)/x") }
    #expect(
      with.record.files.first?.sha256
        == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    let without = try store.migrate { try write("abc", to: "\($0)/x") }
    #expect(without.record.files.first?.sha256 == nil)
  }

  @Test func `the receipt counts erased files that the app did not get`() throws {
    let workspace = try store.workspace()
    try workspace.places.openLog().writeAll(Array("12345".utf8))
    try write("kept", to: "\(workspace.places.contentDirectory)/x")
    // The container of an extension that runs with a restricted policy.
    try FileSystem.makeDirectories("\(workspace.places.containerDirectory)/tmp")
    try write("scratch", to: "\(workspace.places.containerDirectory)/tmp/y")
    let draft = store.draft(workspace)
    let result = try Migration(workspace, draft: draft).run()
    let receipt = try #require(result.record.erased.first)
    #expect(receipt.what == "session directory")
    #expect(receipt.files == 2)
    #expect(receipt.bytes == 12)
  }

  @Test func `a session without leftovers has no receipt and its journal is not rewritten`() throws {
    let workspace = try store.workspace()
    try write("kept", to: "\(workspace.places.contentDirectory)/x")
    let places = workspace.places
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    for step in MigrationStep.allCases {
      try migration.perform(step)
      if step == .trash {
        let journal = try #require(try FileSystem.contents(places.trashedJournalFile))
        #expect(try JSONNode.parse(journal).value["phase"] == "running")
      }
    }
    #expect(migration.result.record.erased == [])
    #expect(try DeliveredContent(store.app).find(places.id)?.record == migration.result.record)
    #expect(try SessionLog(store.root).verify().isValid)
    #expect(try store.leftovers() == [])
  }

  /// Performs the steps up to `last` and releases the session's lock.
  private func perform(_ migration: Migration, to last: MigrationStep) throws {
    let end = try #require(MigrationStep.allCases.firstIndex(of: last))
    for step in MigrationStep.allCases[...end] { try migration.perform(step) }
  }

  /// Creates files, performs the steps up to `last` and releases the session like a killed host. Returns the
  /// outcome that recovery finds.
  private func outcome(
    stoppedAfter last: MigrationStep,
    _ make: (_ content: String) throws -> Void
  ) throws -> SessionOutcome? {
    let workspace = try store.workspace()
    let places = workspace.places
    try make(places.contentDirectory)
    var draft = store.draft(workspace)
    draft.outcome = .timedOut(.launch)
    try perform(Migration(workspace, draft: draft), to: last)
    let summary = try Recovery.run(in: store.root)
    #expect(summary.isClean && summary.sessions.count == 1)
    #expect(try store.leftovers() == [])
    return try DeliveredContent(store.app).find(places.id)?.record?.outcome
  }

  @Test(arguments: [1, 8, 9, 20])
  func `writes the outcome to the journal first unless the record follows at once`(files: Int) throws {
    func fill(_ content: String) throws {
      for number in 0..<files { try write("\(number)", to: "\(content)/\(number)") }
    }
    let died = SessionOutcome.dismissed(.init(by: .hostDied))
    for step in [MigrationStep.writeOutcome, .verify, .synchronize] {
      #expect(try outcome(stoppedAfter: step, fill) == (files <= 8 ? died : .timedOut(.launch)))
    }
    for step in [MigrationStep.record, .log, .publish, .deliver, .trash] {
      #expect(try outcome(stoppedAfter: step, fill) == .timedOut(.launch))
    }
  }

  @Test(arguments: [true, false])
  func `removes library copies first and their directory only after delivery`(
    hasCopies: Bool
  ) throws {
    let workspace = try store.workspace()
    let places = workspace.places
    try write("whole", to: "\(places.contentDirectory)/x")
    if hasCopies { try write("of the user", to: "\(places.libraryDirectory)/picture.jpg") }
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    try migration.perform(.writeOutcome)
    #expect(try FileSystem.names(in: places.libraryDirectory) == [])
    #expect((try FileSystem.status(places.libraryDirectory) == nil) == hasCopies)
    for step in MigrationStep.allCases where step != .writeOutcome { try migration.perform(step) }
    #expect(migration.result.record.erased.isEmpty)
    #expect(try store.leftovers() == [])
  }

  @Test func `writes the outcome before it synchronizes nested or large content`() throws {
    let found = try outcome(stoppedAfter: .writeOutcome) { content in
      try FileSystem.makeDirectory("\(content)/folder")
      try write("one", to: "\(content)/folder/1")
    }
    #expect(found == .timedOut(.launch))
    // Synchronizing one large file can take arbitrarily long.
    let large = try outcome(stoppedAfter: .writeOutcome) { content in
      let bytes = [UInt8](repeating: 7, count: 2 << 20)
      try FileSystem.open("\(content)/large", [.write, .create]).writeAll(bytes)
    }
    #expect(large == .timedOut(.launch))
  }

  @Test func `the record contains what the host put into the draft`() throws {
    let workspace = try store.workspace()
    try workspace.places.openLog().writeAll(Array("said".utf8))
    var draft = store.draft(workspace)
    draft.outcome = .timedOut(.launch)
    draft.policy = .init(name: "capture", digest: "sha256:00")
    draft.erased = [.init(what: "extension container", files: 2, bytes: 3, at: 4)]
    let result = try Migration(workspace, draft: draft).run()
    #expect(result.record.outcome == .timedOut(.launch))
    #expect(result.record.policy == draft.policy)
    #expect(result.record.erased.map(\.what) == ["extension container", "session directory"])
  }

  @Test func `migrates many files`() throws {
    let result = try store.migrate { content in
      for index in 0..<200 { try write("x", to: "\(content)/\(index)") }
    }
    #expect(result.record.content == .init(files: 200, bytes: 200, delivered: true))
  }

  @Test func `recovery leaves a session alone during its migration`() throws {
    let workspace = try store.workspace()
    try write("x", to: "\(workspace.places.contentDirectory)/x")
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    for step in MigrationStep.allCases {
      let findings = try Recovery.run(in: store.root).sessions.map(\.finding)
      #expect(
        findings.allSatisfy { if case .live = $0 { true } else { false } },
        "before \(step.rawValue): \(findings)"
      )
      try migration.perform(step)
    }
    #expect(try store.leftovers() == [])
    #expect(try DeliveredContent(store.app).list().count == 1)
  }
}
