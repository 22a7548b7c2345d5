// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

@Suite struct RecoveryTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Performs the first `count` steps of a migration and then stops like a killed host.
  private func interrupt(
    after count: Int,
    empty: Bool = false,
    hostProcess: Int32 = CurrentProcess.processID
  ) throws -> SessionID {
    let workspace = try store.workspace(hostProcess: hostProcess)
    let content = workspace.places.contentDirectory
    if !empty {
      try write("whole", to: "\(content)/capture.jpg")
      try FileSystem.makeDirectory("\(content)/more")
      try write("also", to: "\(content)/more/capture.jpg")
    }
    succeed(symlink("/etc/passwd", "\(content)/link"), "symlink")
    try workspace.places.openLog().writeAll(Array("said".utf8))
    let id = workspace.id
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    for step in MigrationStep.allCases.prefix(count) { try migration.perform(step) }
    return id
  }

  @Test(arguments: 0...MigrationStep.allCases.count)
  func `delivers the content once and removes the rest if the host dies at any step`(_ count: Int) throws {
    let id = try interrupt(after: count)
    _ = try Recovery.run(in: store.root)
    try expectDelivered(id, outcome: count == 0 ? .dismissed(.init(by: .hostDied)) : .completed(exitCode: 0))
    // A second recovery changes nothing.
    let repeated = try Recovery.run(in: store.root)
    #expect(repeated.sessions.isEmpty)
    #expect(repeated.discarded == 0)
    try expectDelivered(id, outcome: count == 0 ? .dismissed(.init(by: .hostDied)) : .completed(exitCode: 0))
  }

  /// Expects that a session of ``interrupt(after:empty:)`` is delivered once and that nothing else is left.
  private func expectDelivered(_ id: SessionID, outcome: SessionOutcome) throws {
    let delivered = try DeliveredContent(store.app).list()
    #expect(delivered.map(\.id) == [id])
    #expect(
      try TemporaryStore.tree(store.app.content(id)) == ["capture.jpg": "whole", "more/capture.jpg": "also"]
    )
    let record = try #require(delivered.first?.record)
    #expect(record.outcome == outcome)
    #expect(record.content == .init(files: 2, bytes: 9, delivered: true))
    #expect(record.files.map(\.path) == ["capture.jpg", "more/capture.jpg"])
    #expect(record.quarantined == [.init(path: "link", reason: .symbolicLink)])
    #expect(record.erased.map(\.what) == ["session directory"])
    #expect(record.erased.first?.bytes == 4)
    #expect(try store.leftovers() == [])
  }

  @Test func `a partial recovery creates no trash and reports existing trash`() throws {
    let workspace = try store.workspace()
    let summary = try Recovery.run(in: store.root, trash: .partial)
    #expect(summary.sessions.count == 1 && !summary.hasTrash)
    // A partial recovery still reports trash of other processes.
    try write("", to: "\(store.root.trashDirectory)/removed-0")
    let next = try Recovery.run(in: store.root, trash: .partial)
    #expect(next.hasTrash && next.discarded == 1)
    let draft = store.draft(workspace)
    _ = try Migration(workspace, draft: draft).run()
    #expect(try !Recovery.run(in: store.root, trash: .partial).hasTrash)
  }

  @Test(arguments: 0...MigrationStep.allCases.count)
  func `leaves a record and no content for an empty session if the host dies at any step`(_ count: Int) throws
  {
    let id = try interrupt(after: count, empty: true)
    _ = try Recovery.run(in: store.root)
    #expect(try DeliveredContent(store.app).list() == [])
    #expect(try FileSystem.names(in: store.app.recordsDirectory) == ["\(id).json"])
    #expect(try store.leftovers() == [])
  }

  @Test(arguments: MigrationStep.allCases)
  func `every migration step is idempotent`(_ step: MigrationStep) throws {
    let workspace = try store.workspace()
    try write("x", to: "\(workspace.places.contentDirectory)/x")
    succeed(mkfifo("\(workspace.places.contentDirectory)/fifo", 0o600), "mkfifo")
    try workspace.places.openLog().writeAll(Array("said".utf8))
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    for each in MigrationStep.allCases {
      try migration.perform(each)
      if each == step { try migration.perform(each) }
    }
    let record = migration.result.record
    #expect(record.content == .init(files: 1, bytes: 1, delivered: true))
    #expect(record.quarantined == [.init(path: "fifo", reason: .fifo)])
    #expect(record.erased.count == 1)
    #expect(try store.leftovers() == [])
  }

  /// The migration is interrupted just after these steps, and then the app removes content and record.
  @Test(arguments: [MigrationStep.deliver, .trash, .erase])
  func `does not restore content and record that the app removed`(_ last: MigrationStep) throws {
    let count = try #require(MigrationStep.allCases.firstIndex(of: last)) + 1
    let id = try interrupt(after: count)
    try DeliveredContent(store.app).invalidate(id)
    try FileSystem.unlink(store.app.record(id))
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(try DeliveredContent(store.app).list() == [])
    #expect(try FileSystem.names(in: store.app.recordsDirectory) == [])
    #expect(try store.leftovers() == [])
  }

  @Test func `recovery leaves a live session alone`() throws {
    let live = try store.workspace()
    try write("live", to: "\(live.places.contentDirectory)/x")
    let dead = try interrupt(after: 0)
    let reports = try Recovery.run(in: store.root).sessions
    #expect(reports.count == 2)
    for report in reports {
      switch report.finding {
      case .live: #expect(report.session == live.id)
      case .finished: #expect(report.session == dead)
      default: Issue.record("\(report)")
      }
    }
    #expect(try TemporaryStore.tree(live.places.contentDirectory) == ["x": "live"])
  }

  @Test func `recovery waits for a lock that the launch of a dead host still holds`() throws {
    // The maximum is a PID that no process has.
    let workspace = try store.workspace(hostProcess: .max)
    let (id, lock) = (workspace.id, workspace.places.lockFile)
    try write("whole", to: "\(workspace.places.contentDirectory)/capture.jpg")
    _ = consume workspace
    let live = try store.workspace()
    try runShell("exec 9<>'\(lock)'; flock 9; sleep 0.3 &")
    // A partial recovery does not wait for either lock.
    let partialSummary = try Recovery.run(in: store.root, trash: .partial)
    #expect(partialSummary.sessions.map(\.session) == [id, live.id].sorted { "\($0)" < "\($1)" })
    #expect(partialSummary.sessions.allSatisfy { if case .live = $0.finding { true } else { false } })
    let fullSummary = try Recovery.run(in: store.root)
    let left = fullSummary.sessions.filter { if case .live = $0.finding { true } else { false } }
    #expect(left.map(\.session) == [live.id])
    #expect(try DeliveredContent(store.app).list().map(\.id) == [id])
    _ = consume live
  }

  /// The lock of a session that is being erased is already in the trash.
  @Test func `recovery waits for a lock that the erasure of a dead host still holds`() throws {
    let id = try interrupt(
      after: try #require(MigrationStep.allCases.firstIndex(of: .trash)) + 1,
      hostProcess: .max
    )
    try runShell("exec 9<>'\(store.root.session(id).trashedLockFile)'; flock 9; sleep 0.3 &")
    #expect(try Recovery.run(in: store.root, trash: .partial).sessions.isEmpty)
    let reports = try Recovery.run(in: store.root).sessions
    guard reports.map(\.session) == [id], case .erased = reports[0].finding else {
      Issue.record("\(reports)")
      return
    }
    #expect(try store.leftovers() == [])
  }

  @Test(arguments: [[], ["lock"], ["lock", "log"]])
  func `removes a session without a journal and writes no record`(_ files: [String]) throws {
    let places = store.root.session(SessionID.random())
    try FileSystem.makeDirectories(places.contentDirectory)
    for name in files { try write("", to: "\(places.directory)/\(name)") }
    let reports = try Recovery.run(in: store.root).sessions
    guard reports.count == 1, case .neverStarted = reports[0].finding else {
      Issue.record("\(reports)")
      return
    }
    #expect(try FileSystem.names(in: store.app.recordsDirectory) == [])
    #expect(try store.leftovers() == [])
  }

  @Test func `removes a prewarmed session with its content and writes no record`()
    throws
  {
    let id: SessionID
    do {
      let waiting = try SessionWorkspace.prepare(
        for: store.app,
        extensionID: "org.example.camera.x",
        stage: .prewarmed
      )
      id = waiting.id
      let before = waiting.places.hasContent()
      #expect(!before)
      try write("early", to: "\(waiting.places.contentDirectory)/x")
      let after = waiting.places.hasContent()
      #expect(after)
      #expect(try LiveSessions.list(in: store.root).map(\.stage) == [.prewarmed])
    }
    let reports = try Recovery.run(in: store.root).sessions
    guard reports.map(\.session) == [id], case .neverStarted = reports[0].finding else {
      Issue.record("\(reports)")
      return
    }
    #expect(try DeliveredContent(store.app).list().isEmpty)
    #expect(try FileSystem.names(in: store.app.recordsDirectory) == [])
    #expect(try store.leftovers() == [])
  }

  @Test func `a launch overwrites the files that were preallocated while it was prewarmed`() throws {
    func inode(_ path: String) throws -> UInt64? { try FileSystem.status(path)?.inode }
    var session = try SessionWorkspace.prepare(
      for: store.app,
      extensionID: "org.example.camera.x",
      stage: .prewarmed
    )
    let places = session.places
    let journal = try #require(try inode("\(places.directory)/reserve-journal"))
    let uses = try #require(try inode(places.usesFile))
    #expect(DeviceUseFile(places).read().isEmpty)
    try session.markLaunched().write()
    let use = SessionRecord.Use(.camera, device: "pattern", firstAt: 0)
    try DeviceUseFile(places).append(use)
    #expect(try inode(places.journalFile) == journal)
    #expect(try inode(places.usesFile) == uses)
    #expect(DeviceUseFile(places).read() == [use])
    #expect(try LiveSessions.list(in: store.root).map(\.stage) == [.running])
  }

  @Test(arguments: [false, true])
  func `recovers a launched prewarmed session like any other session`(isWritten: Bool) throws {
    let id: SessionID
    do {
      var session = try SessionWorkspace.prepare(
        for: store.app,
        extensionID: "org.example.camera.x",
        stage: .prewarmed
      )
      id = session.id
      let journal = try session.markLaunched()
      if isWritten { try journal.write() }
      #expect(try LiveSessions.list(in: store.root).map(\.stage) == [.running])
      try write("whole", to: "\(session.places.contentDirectory)/x")
    }
    _ = try Recovery.run(in: store.root)
    #expect(try DeliveredContent(store.app).list().map(\.id) == [id])
    #expect(try TemporaryStore.tree(store.app.content(id)) == ["x": "whole"])
    #expect(try store.leftovers() == [])
  }

  @Test(arguments: ["", "{", "{}", "[]"])
  func `leaves content with a damaged journal to the user`(_ journal: String) throws {
    let id = try interrupt(after: 0)
    let places = store.root.session(id)
    try write(journal, to: places.journalFile)
    let summary = try Recovery.run(in: store.root)
    #expect(!summary.isClean)
    #expect(try TemporaryStore.tree(places.contentDirectory)["capture.jpg"] == "whole")
  }

  @Test func `leaves content without a journal to the user`() throws {
    let id = try interrupt(after: 0)
    try FileSystem.unlink(store.root.session(id).journalFile)
    #expect(try !Recovery.run(in: store.root).isClean)
    #expect(try TemporaryStore.tree(store.root.session(id).contentDirectory)["capture.jpg"] == "whole")
  }

  @Test func `one session that cannot be finished does not block the others`() throws {
    let stuck = try interrupt(after: 0)
    // A directory has the name of its content, and migration never replaces a directory.
    try FileSystem.makeDirectory(store.app.content(stuck))
    let fine = try interrupt(after: 0)
    let summary = try Recovery.run(in: store.root)
    #expect(!summary.isClean)
    #expect(try TemporaryStore.tree(store.app.content(fine)).count == 2)
    #expect(try TemporaryStore.tree(store.root.session(stuck).contentDirectory).count == 2)
    // Recovery completes the session once the obstacle is removed.
    try FileSystem.removeDirectory(store.app.content(stuck))
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(try TemporaryStore.tree(store.app.content(stuck)).count == 2)
  }

  @Test func `empties the trash and keeps entries with other names`() throws {
    let trash = store.root.trashDirectory
    try FileSystem.makeDirectories("\(trash)/removed-1/a/b")
    try write("x", to: "\(trash)/removed-1/a/b/c")
    try write("x", to: "\(trash)/keepsake")
    try write("x", to: "\(store.root.sessionsDirectory)/notes")
    #expect(try Recovery.run(in: store.root).discarded == 1)
    #expect(try store.leftovers() == ["notes", "keepsake"])
  }

  @Test func `removes the temporary file of a record writer that died`() throws {
    try write("half", to: "\(store.app.record(SessionID.random())).new.0123456789ab")
    _ = try Recovery.run(in: store.root)
    #expect(try FileSystem.names(in: store.app.recordsDirectory) == [])
  }

  @Test func `a partial recovery cleans the records only if a session was abandoned`() throws {
    let left = "\(store.app.recordsDirectory)/a.json.new.0123456789ab"
    try write("half", to: left)
    _ = try store.migrate { try write("whole", to: "\($0)/file") }
    #expect(try Recovery.run(in: store.root, trash: .partial).isClean)
    #expect(try FileSystem.status(left) != nil)
    _ = try interrupt(after: 4)
    #expect(try Recovery.run(in: store.root, trash: .partial).sessions.count == 1)
    #expect(try FileSystem.status(left) == nil)
  }

  @Test func `passes the changed camera settings of an abandoned session to the restore handler once`() throws
  {
    let workspace = try store.workspace()
    let notes = CameraSettingsBackup(workspace.places)
    let camera = CameraSettingsBackup.Camera(path: "/dev/video7", device: "usb-1 Camera")
    #expect(notes.read() == nil)
    try notes.save(CameraSettingsBackup.Value("automaticFocus", 1), of: camera)
    try notes.save(CameraSettingsBackup.Value("focus", -40), of: camera)
    // The host was killed during this write.
    let file = try FileSystem.open(workspace.places.cameraFile, [.write, .append])
    try file.writeAll(Array(#"{"path":"/dev/video7","dev"#.utf8))
    var found: [CameraSettingsBackup.Camera] = []
    func restore(_ camera: CameraSettingsBackup.Camera) -> Bool {
      found.append(camera)
      return true
    }
    _ = try Recovery.run(in: store.root, camera: restore)
    #expect(found == [])
    _ = consume workspace
    for _ in 0..<2 { _ = try Recovery.run(in: store.root, camera: restore) }
    var expected = camera
    expected.values = [
      CameraSettingsBackup.Value("automaticFocus", 1), CameraSettingsBackup.Value("focus", -40),
    ]
    #expect(found == [expected])
    #expect(try store.leftovers() == [])
  }
}
