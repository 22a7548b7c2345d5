// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxPrimitives
import LockedCameraCapture
import SessionStore
import Testing

@Suite(.timeLimit(.minutes(20))) struct NamedConsumerTests {
  typealias Update = LockedCameraCaptureManager.SessionContentUpdate

  /// Returns the first updates of a consumer. The last one counts as processed only if `confirmsLast` is true.
  private func run(_ state: FakeStateRoot, _ count: Int, confirmsLast: Bool = true) async throws -> [Update] {
    let updates = try #require(state.manager.sessionContentUpdates(consumer: "importer"))
    var iterator = updates.makeAsyncIterator()
    var received: [Update] = []
    for _ in 0..<count { received.append(try #require(try await iterator.next())) }
    guard confirmsLast else { return received }
    // Requesting the next update confirms the last one. The session completes that request, and is removed
    // before the next run.
    let name = try state.migrateSession()
    guard case .added(let url) = try await iterator.next() else { throw Unexpected() }
    #expect(url == state.url(name))
    try FileSystem.removeTree(url.path(percentEncoded: false))
    return received
  }

  /// The error for an unexpected update.
  private struct Unexpected: Error {}

  @Test func `resumes a named consumer where it stopped, without repeated updates`() async throws {
    let state = try FakeStateRoot()
    let first = try state.migrateSession()
    #expect(try await run(state, 2) == [.initial(urls: []), .added(url: state.url(first))])
    let second = try state.migrateSession()
    #expect(
      try await run(state, 2) == [.initial(urls: [state.url(first)]), .added(url: state.url(second))]
    )
    try await state.manager.invalidateSessionContent(at: state.url(first))
    #expect(
      try await run(state, 2) == [.initial(urls: [state.url(second)]), .removed(url: state.url(first))]
    )
  }

  @Test func `redelivers an update that was not processed`() async throws {
    let state = try FakeStateRoot()
    let name = try state.migrateSession()
    let expected: [Update] = [.initial(urls: []), .added(url: state.url(name))]
    #expect(try await run(state, 2, confirmsLast: false) == expected)
    #expect(try await run(state, 2) == expected)
    #expect(try await run(state, 1, confirmsLast: false) == [.initial(urls: [state.url(name)])])
  }

  @Test func `permits one instance of a named consumer across library and host command`() async throws {
    let state = try FakeStateRoot()
    let name = try state.migrateSession()
    let updates = try #require(state.manager.sessionContentUpdates(consumer: "importer"))
    var first = updates.makeAsyncIterator()
    _ = try await first.next()
    var second = updates.makeAsyncIterator()
    let error = await #expect(throws: LockedCameraCaptureError.self) { _ = try await second.next() }
    #expect(error?.code == .consumerBusy)
    #expect(state.manager.sessionContentUpdates(consumer: "../x") == nil)
    _ = try await first.next()
    let app = try StateRoot(path: state.root).app("org.example.camera")
    #expect(throws: StoreError.consumerBusy(app: app.id, consumer: "importer")) {
      _ = try ContentWatch(app, consumer: "importer")
    }
    var other = try ContentWatch(app, consumer: "backup")
    _ = try other.next(until: 0)
    guard case .added(let session) = try other.next(until: 0) else { throw Unexpected() }
    #expect(session.id.description == name)
  }

  @Test func `reports success to only one of many concurrent invalidations`() async throws {
    let state = try FakeStateRoot()
    for _ in 0..<10 {
      let url = state.url(try state.migrateSession())
      let results = try await withThrowingTaskGroup(of: SessionContentInvalidation.self) { group in
        for _ in 0..<6 { group.addTask { try await state.manager.invalidateContent(at: url) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.count { $0 == .invalidated } == 1)
      #expect(results.count { $0 == .alreadyGone } == 5)
    }
    let outside = URL(filePath: "\(state.root)/trash", directoryHint: .isDirectory)
    #expect(try await state.manager.invalidateContent(at: outside) == .notSessionContent)
  }

  @Test func `lists the files of a session with size, digest and modification date`() async throws {
    let store = try StateRoot.temporary()
    defer { try? FileSystem.removeTree(store.path) }
    let app = try store.app("org.example.camera")
    let workspace = try SessionWorkspace.prepare(for: app, extensionID: "org.example.camera.capture")
    let name = workspace.id.description
    try FileSystem.makeDirectory("\(workspace.places.contentDirectory)/deep")
    try FileSystem.replaceContents("\(workspace.places.contentDirectory)/deep/a", with: Array("abc".utf8))
    let draft = SessionRecord(
      sessionID: workspace.id,
      app: app.id,
      extensionID: workspace.extensionID,
      startedAt: workspace.startedAt,
      endedAt: workspace.startedAt,
      outcome: .completed(exitCode: 0)
    )
    _ = try Migration(workspace, draft: draft, digests: .sha256).run()
    let container = URL(filePath: app.containerDirectory, directoryHint: .isDirectory)
    let manager = LockedCameraCaptureManager(container: container)
    let files = try await manager.files(ofSession: FakeStateRoot.id(name))
    #expect(files.map(\.path) == ["deep/a"])
    #expect(files.first?.size == 3)
    #expect(files.first?.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(files.first?.modified != nil)
    let metadata = try await manager.metadata(forSession: FakeStateRoot.id(name))
    #expect(metadata?.reason == "the extension exited with code 0")
    #expect(try await manager.files(ofSession: UUID()).isEmpty)
  }
}

extension StateRoot {
  /// Creates a state root for one test.
  fileprivate static func temporary() throws -> StateRoot {
    let root = StateRoot(path: "/tmp/darkroom-promise-\(Randomness.hexadecimal(bytes: 8))")
    try root.prepare()
    try root.app("org.example.camera").prepare()
    return root
  }
}
