// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import FoundationEssentials
import Glibc
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import SessionStore
import Testing

/// The app context of the test intents.
private struct CameraState: Codable, Sendable, Equatable {
  var position = "rear"
  var zoom = 1.5
  var note = ""
}

/// An intent with a context.
private struct StateIntent: CameraCaptureIntent {
  typealias AppContext = CameraState
  static let title: LocalizedStringResource = "State"
  func perform() async throws -> some IntentResult { .result() }
}

/// The same context after two changes of its type.
private struct NewState: VersionedAppContext, Equatable {
  static let contextVersion = 2
  var lens: String

  static func migrate(from version: Int, json: Data) throws -> NewState? {
    guard version == 0 else { return nil }
    return NewState(lens: try JSONDecoder().decode(CameraState.self, from: json).position)
  }
}

/// An intent with a versioned context.
private struct NewIntent: CameraCaptureIntent {
  typealias AppContext = NewState
  static let title: LocalizedStringResource = "State"
  func perform() async throws -> some IntentResult { .result() }
}

/// An intent without a context.
private struct PlainIntent: CameraCaptureIntent {
  static let title: LocalizedStringResource = "Plain"
  func perform() async throws -> some IntentResult { .result() }
}

/// A trait that runs a test as if its process were an app.
private struct AppProcessTrait: TestTrait, SuiteTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let state = try FakeStateRoot()
    try await AppContextAccess.$testOverride.withValue(AppContextAccess(AppContainer(path: state.container)))
    {
      try await FakeStateRoot.$current.withValue(state) { try await function() }
    }
  }
}

extension CurrentSessionTests {
  /// The app context API in an extension, where the host stores the context.
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct ExtensionContextTests {
    /// Returns a context as it appears in a message.
    private nonisolated static func json(_ position: String, _ zoom: JSONValue) -> JSONValue {
      ["note": "", "position": .string(position), "zoom": zoom]
    }

    @Test func `sends the expected context with an update, and adopts the stored one after a refusal`()
      async throws
    {
      var stored: [Bool] = []
      var positions: [String?] = []
      try await runAsyncSession(camera: false) { host in
        try host.start(FakeHost.sessionStart(context: Self.json("a", 1)))
        let newer = Self.json("app", 1)
        try host.answer(
          .contextUpdate(Self.json("b", 1), ifContext: Self.json("a", 1)),
          .failure(.contextChanged(present: newer))
        )
        try host.answer(
          .contextUpdate(Self.json("b", 1), ifContext: newer),
          .success(ContextUpdateResult(bytes: 1).json)
        )
        try host.answer(
          .contextUpdate(.null, ifContext: Self.json("b", 1)),
          .failure(.contextChanged(present: .null))
        )
        try host.answer(
          .contextUpdate(Self.json("c", 1), ifContext: .null),
          .success(ContextUpdateResult(bytes: 1).json)
        )
        // An update without a revision replaces any stored context.
        try host.answer(.contextUpdate(.null), .success(ContextUpdateResult(bytes: 0).json))
        try host.expect(.log(.info, "done"))
        try host.dismiss()
      } extension: { session in
        Task { @MainActor in
          for position in ["b", "b", nil, "c"] as [String?] {
            let context = position.map { CameraState(position: $0, zoom: 1) }
            let seen = try await StateIntent.currentAppContext
            stored.append(try await StateIntent.updateAppContext(context, ifAt: seen.revision))
            positions.append(try await StateIntent.appContext?.position)
          }
          let last = try await StateIntent.currentAppContext
          try await StateIntent.updateAppContext(nil)
          // The extension knows that the context has changed, so it does not send this update.
          stored.append(try await StateIntent.updateAppContext(CameraState(), ifAt: last.revision))
          session.log(.info, "done")
        }
      }
      #expect(stored == [false, true, false, true, false])
      #expect(positions == ["app", "b", nil, "c"])
    }

    @Test func `applies a settings change to a context that was changed concurrently`() async throws {
      var result: CameraState?
      try await runAsyncSession(camera: false) { host in
        try host.start(FakeHost.sessionStart(context: Self.json("a", 1)))
        try host.answer(
          .contextUpdate(Self.json("a", 2), ifContext: Self.json("a", 1)),
          .failure(.contextChanged(present: Self.json("app", 5)))
        )
        try host.answer(
          .contextUpdate(Self.json("app", 6), ifContext: Self.json("app", 5)),
          .success(ContextUpdateResult(bytes: 1).json)
        )
        try host.expect(.log(.info, "done"))
        try host.dismiss()
      } extension: { session in
        Task { @MainActor in
          let settings = SharedSettings(StateIntent.self, defaults: CameraState())
          result = try await settings.update { $0.zoom += 1 }
          session.log(.info, "done")
        }
      }
      #expect(result == CameraState(position: "app", zoom: 6))
    }

    @Test func `ignores a context change that was sent before the reply to an update`() async throws {
      var seen: [String?] = []
      try await runAsyncSession(camera: false) { host in
        try host.start()
        let (id, request) = try host.receiveRequest()
        guard request == .contextUpdate(Self.json("own", 1)) else {
          throw FakeHostError(description: "\(request)")
        }
        // One write, so that the extension reads both messages before it handles either.
        try host.send(
          HostMessage.notification(.contextChanged(Self.json("older", 1))).line
            + HostMessage.reply(Reply(id: id, result: ContextUpdateResult(bytes: 1))).line
        )
        try host.expect(.log(.info, "done"))
        try host.send(.notification(.contextChanged(Self.json("newer", 1))))
        try host.expect(.log(.info, "heard newer"))
        try host.dismiss()
      } extension: { session in
        session.onAppContextChange {
          let position = try session.appContext(CameraState.self)?.position
          seen.append(position)
          if position == "newer" { session.log(.info, "heard newer") }
        }
        Task { @MainActor in
          try await StateIntent.updateAppContext(CameraState(position: "own", zoom: 1))
          seen.append(try await StateIntent.appContext?.position)
          session.log(.info, "done")
        }
      }
      #expect(seen == ["own", "own", "newer"])
    }
  }
}

@Suite(AppProcessTrait(), .timeLimit(.minutes(20))) struct SharedContextTests {
  let state: FakeStateRoot
  let store: AppContextStore

  init() throws {
    state = try #require(FakeStateRoot.current)
    store = AppContextStore(try StateRoot(path: state.root).app("org.example.camera"))
  }

  @Test func `stores the app context byte for byte as the host does`() async throws {
    #expect(try await StateIntent.appContext == nil)
    let context = CameraState(position: "front", zoom: 2, note: "ü\"/")
    try await StateIntent.updateAppContext(context)
    let bytes = try #require(
      try FileSystem.contents("\(state.root)/apps/org.example.camera/context/app.json")
    )
    let stored = try #require(try store.get())
    #expect(bytes == stored.bytes(.compact))
    #expect(try StateIntent.appContextSize(context) == bytes.count)
    #expect(try await StateIntent.appContext == context)
    try store.set(["position": "rear", "zoom": 3, "note": ""])
    #expect(try await StateIntent.appContext == CameraState(zoom: 3))
    try await StateIntent.updateAppContext(nil)
    #expect(try store.get() == nil)
    #expect(try await StateIntent.appContext == nil)
    #expect(try await PlainIntent.appContext == nil)
  }

  @Test func `stores the largest context, and rejects one byte more with both sizes`()
    async throws
  {
    var context = CameraState()
    context.note = String(repeating: "x", count: 4096 - (try StateIntent.appContextSize(context)))
    try await StateIntent.updateAppContext(context)
    #expect(try await StateIntent.appContext == context)
    var larger = context
    larger.note += "y"
    #expect(try StateIntent.appContextSize(larger) == 4097)
    let error = await #expect(throws: AppContextTooLarge.self) {
      try await StateIntent.updateAppContext(larger)
    }
    #expect(error?.bytes == 4097)
    #expect(error?.limit == 4096)
    #expect(try await StateIntent.appContext == context)
  }

  @Test func `throws for a context of another type, and migrates one of another version`() async throws {
    try store.set(["position": 7])
    await #expect(throws: DecodingError.self) { try await StateIntent.appContext }
    try await StateIntent.updateAppContext(CameraState(position: "front"))
    #expect(try await NewIntent.appContext == NewState(lens: "front"))
    try await NewIntent.updateAppContext(NewState(lens: "tele"))
    #expect(try store.get() == ["contextVersion": 2, "context": ["lens": "tele"]])
    #expect(try await NewIntent.appContext == NewState(lens: "tele"))
    // The version of an app update that was later reverted, which this version cannot read.
    try store.set(["contextVersion": 9, "context": ["glass": 1]])
    #expect(try await NewIntent.appContext == nil)
  }

  @Test func `throws for a damaged file, and can replace it`() async throws {
    let file = "\(state.root)/apps/org.example.camera/context/app.json"
    try FileSystem.replaceContents(file, with: Array("{".utf8))
    let error = await #expect(throws: LockedCameraCaptureError.self) { try await StateIntent.appContext }
    #expect(error?.code == .invalidContext)
    try await StateIntent.updateAppContext(CameraState())
    #expect(try await StateIntent.appContext == CameraState())
  }

  @Test func `stores a context only if the current one is the expected one`() async throws {
    let before = try await StateIntent.currentAppContext
    #expect(before.context == nil)
    #expect(try await StateIntent.updateAppContext(CameraState(position: "a"), ifAt: before.revision))
    #expect(try await !StateIntent.updateAppContext(CameraState(position: "b"), ifAt: before.revision))
    let now = try await StateIntent.currentAppContext
    #expect(now.context?.position == "a")
    #expect(now.revision != before.revision)
    #expect(try await StateIntent.updateAppContext(nil, ifAt: now.revision))
    #expect(try await StateIntent.currentAppContext.revision == before.revision)
  }

  @Test func `loses no settings change of many concurrent ones`() async throws {
    let settings = SharedSettings(StateIntent.self, defaults: CameraState(zoom: 0))
    #expect(await settings.value == CameraState(zoom: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await settings.update { $0.zoom += 1 } } }
      try await group.waitForAll()
    }
    #expect(await settings.value.zoom == 20)
    try store.set(["broken": true])
    #expect(await settings.value == CameraState(zoom: 0))
  }

  @Test func `delivers every change of the context once, whichever process made it`() async throws {
    try store.set(["position": "one", "zoom": 1, "note": ""])
    var iterator = StateIntent.appContextUpdates.makeAsyncIterator()
    #expect(try await iterator.next()?.context?.position == "one")
    try store.set(["position": "two", "zoom": 1, "note": ""])
    #expect(try await iterator.next()?.context?.position == "two")
    // Storing an equal context is not a change.
    try store.set(["position": "two", "zoom": 1, "note": ""])
    try await StateIntent.updateAppContext(CameraState(position: "three"))
    #expect(try await iterator.next()?.context?.position == "three")
    try store.clear()
    let last = try #require(try await iterator.next())
    #expect(last.context == nil)
    let settings = SharedSettings(StateIntent.self, defaults: CameraState(position: "default"))
    var values = settings.updates.makeAsyncIterator()
    #expect(try await values.next()?.position == "default")
  }
}
