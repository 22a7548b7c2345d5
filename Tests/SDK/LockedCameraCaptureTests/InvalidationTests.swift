// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import Testing

@Suite(.timeLimit(.minutes(20))) struct InvalidationTests {
  @Test func `the content goes, and its record has the receipt`() async throws {
    let state = try FakeState()
    let name = try state.handOver(files: ["a.jpg": "1234", "b.jpg": "56"])
    let other = try state.handOver()
    let before = try await state.manager.metadata(forSession: FakeState.id(name))
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
    let after = try #require(try await state.manager.metadata(forSession: FakeState.id(name)))
    #expect(before?.contentURL == state.url(name))
    #expect(after.contentURL == nil)
    #expect(after.files == 2)
    #expect(after.bytes == 6)
    #expect(after.termination == .dismissed(by: "person"))
    #expect(after.startedAt == Date(timeIntervalSince1970: 1_769_847_300.25))
    #expect(after.endedAt == Date(timeIntervalSince1970: 1_769_847_360))
    #expect(try await state.manager.metadata(forSession: UUID()) == nil)
  }

  @Test func `a URL that is not the manager's is ignored, and what it leads to stays`() async throws {
    let state = try FakeState()
    let foreign = try FakeState(app: "org.example.other")
    let name = try state.handOver()
    let other = try foreign.handOver()
    let link = FakeState.newName()
    let content = "\(state.container)/SessionContent"
    try FileSystem.makeSymbolicLink("\(content)/\(link)", to: "\(foreign.container)/SessionContent/\(other)")
    // A directory outside of the container with the name of a session, below an alias of a content directory.
    try FileSystem.makeSymbolicLink("\(state.root)/alias", to: "\(foreign.container)/SessionContent")
    let hostile = [
      "\(content)/../SessionContent/\(name)", "\(content)/\(link)",
      "\(foreign.container)/SessionContent/\(other)",
      "\(content)/\(name)/photo.jpg", content, state.container, "/", "/\(name)",
      "\(content)/\(FakeState.newName())",
      "\(state.root)/alias/\(other)", "\(content)/\(name.uppercased())", "relative/\(name)",
    ]
    for path in hostile { try await state.manager.invalidateSessionContent(at: URL(filePath: path)) }
    let web = try #require(URL(string: "https://example.org\(content)/\(name)"))
    try await state.manager.invalidateSessionContent(at: web)
    #expect(state.manager.sessionContentURLs == [state.url(name)])
    #expect(foreign.manager.sessionContentURLs == [foreign.url(other)])
    #expect(try FileSystem.status("\(content)/\(link)")?.kind == .symbolicLink)
  }

  @Test func `a URL through a link to the container itself is as good`() async throws {
    let state = try FakeState()
    let name = try state.handOver()
    try FileSystem.makeSymbolicLink("\(state.root)/alias", to: state.container)
    let url = URL(filePath: "\(state.root)/alias/SessionContent/\(name)/")
    try await state.manager.invalidateSessionContent(at: url)
    #expect(state.manager.sessionContentURLs == [])
  }

  @Test func `two processes that invalidate the same sessions at once both succeed`() throws {
    let state = try FakeState()
    let names = try (0..<100).map { _ in try state.handOver() }
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

  @Test func `killed between any two steps, the content is there whole or gone for every consumer`()
    async throws
  {
    let state = try FakeState()
    let container = AppContainer(path: state.container)
    let first = try state.handOver()
    // Killed after the check: the content is unchanged.
    _ = try ContentRemoval(container, state.url(first))
    #expect(state.manager.sessionContentURLs == [state.url(first)])
    var removal = try #require(try ContentRemoval(container, state.url(first)))
    var late = try #require(try ContentRemoval(container, state.url(first)))
    #expect(try removal.take())
    // Killed after the move: the content is hidden in the trash directory, which the host empties on
    // recovery.
    #expect(state.manager.sessionContentURLs == [])
    #expect(try state.names("trash").allSatisfy { $0.hasPrefix("removed-") })
    #expect(try state.names("trash").count == 1)
    // Another consumer that found the content earlier reports it as removed.
    #expect(try !late.take())
    try removal.delete()
    #expect(try state.names("trash") == [])
    #expect(try ContentRemoval(container, state.url(first)) == nil)
  }

  @Test func `a session is waited for, or known to have left nothing`() async throws {
    let state = try FakeState()
    let manager = state.manager
    let late = FakeState.newName()
    let lateID = FakeState.id(late)
    let waiting = Task { try await manager.waitForSession(lateID) }
    let early = try state.handOver()
    #expect(try await manager.waitForSession(FakeState.id(early)) == state.url(early))
    try state.handOver(late)
    #expect(try await waiting.value == state.url(late))
    let empty = try state.handOver(files: nil)
    #expect(try await manager.waitForSession(FakeState.id(empty)) == nil)
    try await manager.invalidateSessionContent(at: state.url(early))
    #expect(try await manager.waitForSession(FakeState.id(early)) == nil)
    let cancelled = Task { try await manager.waitForSession(UUID()) }
    cancelled.cancel()
    #expect(try await cancelled.value == nil)
  }

  @Test func `the appearance is delayed while it is asked for`() throws {
    let state = try FakeState()
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

  @Test func `the container is found by either pair of variables, and by nothing less`() {
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
