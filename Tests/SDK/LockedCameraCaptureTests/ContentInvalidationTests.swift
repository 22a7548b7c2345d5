// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import Testing

@Suite(.timeLimit(.minutes(20))) struct ContentInvalidationTests {
  @Test func `removes the content and adds a receipt to its record`() async throws {
    let state = try FakeStateRoot()
    let name = try state.migrateSession(files: ["a.jpg": "1234", "b.jpg": "56"])
    let other = try state.migrateSession()
    let before = try await state.manager.metadata(forSession: FakeStateRoot.id(name))
    try await state.manager.invalidateSessionContent(at: state.url(name))
    #expect(state.manager.sessionContentURLs == [state.url(other)])
    #expect(try state.names("trash") == [])
    let record = try #require(
      try FileSystem.contents("\(state.container)/SessionRecords/\(name).json").map {
        try JSONNode.parse($0, limits: .record).value
      }
    )
    let receipt = try #require(record["erased"]?.elements?.first)
    #expect(receipt["what"]?.string == "content")
    #expect(receipt["files"]?.integer == 2)
    #expect(receipt["bytes"]?.integer == 6)
    let after = try #require(try await state.manager.metadata(forSession: FakeStateRoot.id(name)))
    #expect(before?.contentURL == state.url(name))
    #expect(after.contentURL == nil)
    #expect(after.files == 2)
    #expect(after.bytes == 6)
    #expect(after.termination == .dismissed(by: "user"))
    #expect(after.startedAt == Date(timeIntervalSince1970: 1_769_847_300.25))
    #expect(after.endedAt == Date(timeIntervalSince1970: 1_769_847_360))
    #expect(try await state.manager.metadata(forSession: UUID()) == nil)
  }

  @Test func `ignores URLs that are not session content of the manager, and leaves their targets unchanged`()
    async throws
  {
    let state = try FakeStateRoot()
    let foreign = try FakeStateRoot(app: "org.example.other")
    let name = try state.migrateSession()
    let other = try foreign.migrateSession()
    let link = FakeStateRoot.newSessionName()
    let content = "\(state.container)/SessionContent"
    try FileSystem.makeSymbolicLink("\(content)/\(link)", to: "\(foreign.container)/SessionContent/\(other)")
    // A directory outside of the container with the name of a session, below an alias of a content directory.
    try FileSystem.makeSymbolicLink("\(state.root)/alias", to: "\(foreign.container)/SessionContent")
    let hostile = [
      "\(content)/../SessionContent/\(name)", "\(content)/\(link)",
      "\(foreign.container)/SessionContent/\(other)",
      "\(content)/\(name)/photo.jpg", content, state.container, "/", "/\(name)",
      "\(content)/\(FakeStateRoot.newSessionName())",
      "\(state.root)/alias/\(other)", "\(content)/\(name.uppercased())", "relative/\(name)",
    ]
    for path in hostile { try await state.manager.invalidateSessionContent(at: URL(filePath: path)) }
    let web = try #require(URL(string: "https://example.org\(content)/\(name)"))
    try await state.manager.invalidateSessionContent(at: web)
    #expect(state.manager.sessionContentURLs == [state.url(name)])
    #expect(foreign.manager.sessionContentURLs == [foreign.url(other)])
    #expect(try FileSystem.status("\(content)/\(link)")?.kind == .symbolicLink)
  }

  @Test func `accepts a URL through a symbolic link to the container`() async throws {
    let state = try FakeStateRoot()
    let name = try state.migrateSession()
    try FileSystem.makeSymbolicLink("\(state.root)/alias", to: state.container)
    let url = URL(filePath: "\(state.root)/alias/SessionContent/\(name)/")
    try await state.manager.invalidateSessionContent(at: url)
    #expect(state.manager.sessionContentURLs == [])
  }

  @Test func `permits several processes to invalidate the same sessions concurrently`() throws {
    let state = try FakeStateRoot()
    let names = try (0..<100).map { _ in try state.migrateSession() }
    let words = ["invalidate", state.container] + names.map { state.url($0).path(percentEncoded: false) }
    let apps = try [ChildApp(words), ChildApp(words), ChildApp(words)]
    for app in apps { #expect(app.wait() == 0) }
    #expect(state.manager.sessionContentURLs == [])
    #expect(try state.names("trash") == [])
    for name in names {
      let record = try FileSystem.contents("\(state.container)/SessionRecords/\(name).json") ?? []
      let value = try JSONNode.parse(record, limits: .record).value
      #expect(value["erased"]?.elements?.count == 1, "\(name)")
    }
  }

  @Test func `leaves content either complete or removed if killed between any two steps`()
    async throws
  {
    let state = try FakeStateRoot()
    let container = AppContainer(path: state.container)
    let first = try state.migrateSession()
    // Killed after the check: the content is unchanged.
    _ = try ContentRemoval(container, state.url(first))
    #expect(state.manager.sessionContentURLs == [state.url(first)])
    var removal = try #require(try ContentRemoval(container, state.url(first)))
    var late = try #require(try ContentRemoval(container, state.url(first)))
    #expect(try removal.moveToTrash())
    // Killed after the move: the content is hidden in the trash directory, which the host empties on
    // recovery.
    #expect(state.manager.sessionContentURLs == [])
    #expect(try state.names("trash").allSatisfy { $0.hasPrefix("removed-") })
    #expect(try state.names("trash").count == 1)
    // Another consumer that found the content earlier reports it as removed.
    #expect(try !late.moveToTrash())
    try removal.delete()
    #expect(try state.names("trash") == [])
    #expect(try ContentRemoval(container, state.url(first)) == nil)
  }

  @Test func `waits for the content of a session, and returns nil if the session left none`() async throws {
    let state = try FakeStateRoot()
    let manager = state.manager
    let late = FakeStateRoot.newSessionName()
    let lateID = FakeStateRoot.id(late)
    let waiting = Task { try await manager.waitForSession(lateID) }
    let early = try state.migrateSession()
    #expect(try await manager.waitForSession(FakeStateRoot.id(early)) == state.url(early))
    try state.migrateSession(late)
    #expect(try await waiting.value == state.url(late))
    let empty = try state.migrateSession(files: nil)
    #expect(try await manager.waitForSession(FakeStateRoot.id(empty)) == nil)
    try await manager.invalidateSessionContent(at: state.url(early))
    #expect(try await manager.waitForSession(FakeStateRoot.id(early)) == nil)
    let cancelled = Task { try await manager.waitForSession(UUID()) }
    cancelled.cancel()
    #expect(try await cancelled.value == nil)
  }

  @Test func `delays the appearance of content while a delay is requested`() throws {
    let state = try FakeStateRoot()
    let lock = "\(state.container)/appearance.lock"
    let manager = state.manager
    #expect(try FileLock.isHeld(lock) == nil)
    manager.beginDelayingAppearance()
    manager.beginDelayingAppearance()
    #expect(try FileLock.isHeld(lock) == true)
    manager.endDelayingAppearance()
    #expect(try FileLock.isHeld(lock) == false)
    manager.endDelayingAppearance()
  }

  @Test func `finds the container by either pair of environment variables only`() {
    func container(_ variables: [String: String]) -> String? { AppContainer { variables[$0] }?.path }
    #expect(container(["DARKROOM_APP_CONTAINER": "/r/apps/a/container"]) == "/r/apps/a/container")
    #expect(container(["DARKROOM_ROOT": "/r", "DARKROOM_APP_ID": "a.b"]) == "/r/apps/a.b/container")
    #expect(container(["DARKROOM_ROOT": "/r"]) == nil)
    #expect(container(["DARKROOM_ROOT": "r", "DARKROOM_APP_ID": "a"]) == nil)
    #expect(container(["DARKROOM_ROOT": "/r", "DARKROOM_APP_ID": "../x"]) == nil)
    #expect(container(["DARKROOM_ROOT": "/r", "DARKROOM_APP_ID": ".."]) == nil)
    #expect(container(["DARKROOM_APP_CONTAINER": ""]) == nil)
    let places = AppContainer { ["DARKROOM_APP_CONTAINER": "/r/apps/a/container"][$0] }
    #expect(places?.contextFile == "/r/apps/a/context/app.json")
    #expect(places?.trashDirectory == "/r/trash")
    #expect(places?.appID == "a")
  }
}
