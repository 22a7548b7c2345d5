// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import SessionStore
import Synchronization
import TestSupport
import Testing

@Suite struct AppContextStoreTests {
  let store: TemporaryStore
  let context: AppContextStore

  init() throws {
    store = try TemporaryStore()
    context = AppContextStore(store.app)
  }

  @Test func `stores and returns a context until it is cleared`() throws {
    #expect(try context.get() == nil)
    #expect(try context.set(["zoom": 2]) == 10)
    #expect(try context.get() == ["zoom": 2])
    try context.clear()
    try context.clear()
    #expect(try context.get() == nil)
  }

  @Test func `accepts a context at the limit and rejects one byte more without replacing the old one`()
    throws
  {
    // Two bytes are the quotation marks.
    let largest = JSONValue.string(String(repeating: "x", count: AppContextStore.limit - 2))
    #expect(try context.set(largest) == 4096)
    #expect(throws: StoreError.contextTooLarge(bytes: 4097, limit: 4096)) {
      try context.set(.string(String(repeating: "y", count: AppContextStore.limit - 1)))
    }
    #expect(try context.get() == largest)
  }

  @Test func `the limit counts bytes, not characters`() {
    #expect(throws: StoreError.contextTooLarge(bytes: 4098, limit: 4096)) {
      try context.set(.string(String(repeating: "ü", count: 2048)))
    }
  }

  @Test func `reports a damaged context with its path and clearing repairs it`() throws {
    try write("{", to: store.app.contextFile)
    let error = #expect(throws: StoreError.self) { try context.get() }
    #expect(error?.description.hasPrefix("\(store.app.contextFile) is damaged") == true)
    #expect(error?.description.contains("darkroom context clear org.example.camera") == true)
    try context.clear()
    #expect(try context.get() == nil)
  }

  @Test func `replaces a context only if the stored text equals the expected one`() throws {
    #expect(try context.replace(["zoom": 1], ifStored: ["zoom": 2]) == .differs(.null))
    #expect(try context.get() == nil)
    #expect(try context.replace(["zoom": 1], ifStored: .null) == .stored(bytes: 10))
    #expect(try context.replace(["zoom": 2], ifStored: .null) == .differs(["zoom": 1]))
    #expect(try context.replace(.null, ifStored: ["zoom": 2]) == .differs(["zoom": 1]))
    #expect(try context.get() == ["zoom": 1])
    #expect(try context.replace(["b": 1, "a": 2], ifStored: ["zoom": 1]) == .stored(bytes: 13))
    #expect(try context.replace(3, ifStored: ["a": 2, "b": 1]) == .differs(["b": 1, "a": 2]))
    #expect(try context.replace(.null, ifStored: ["b": 1, "a": 2]) == .stored(bytes: 0))
    #expect(try context.replace(.null, ifStored: .null) == .stored(bytes: 0))
    #expect(try FileSystem.status(store.app.contextFile) == nil)
    #expect(try context.replace(5, ifStored: nil) == .stored(bytes: 1))
    #expect(try context.replace(.null, ifStored: nil) == .stored(bytes: 0))
    #expect(try context.get() == nil)
  }

  @Test func `rejects a conditional update that is too large or whose stored context is damaged`() throws {
    try context.set(1)
    let large = JSONValue.string(String(repeating: "y", count: AppContextStore.limit - 1))
    #expect(throws: StoreError.contextTooLarge(bytes: 4097, limit: 4096)) {
      try context.replace(large, ifStored: 1)
    }
    #expect(try context.get() == 1)
    try write("{", to: store.app.contextFile)
    #expect(throws: StoreError.self) { try context.replace(2, ifStored: 1) }
    #expect(try FileSystem.contents(store.app.contextFile) == Array("{".utf8))
    #expect(try context.replace(2, ifStored: nil) == .stored(bytes: 1))
  }

  @Test func `concurrent conditional updates do not overwrite each other`() async throws {
    let context = context
    try context.set(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            var (isStored, expected) = (false, try context.get() ?? .null)
            while !isStored {
              switch try context.replace(.integer((expected.integer ?? -1) + 1), ifStored: expected) {
              case .stored: isStored = true
              case .differs(let current): expected = current
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try context.get() == 100)
  }

  @Test func `clearing waits for a concurrent change of the context`() throws {
    try context.set(1)
    let directory = try FileSystem.open(store.app.contextDirectory, [.directory])
    let inode = try directory.status().inode
    let (resultBox, context) = (ResultBox(), context)
    let lock = try FileLock.lock(owning: directory)
    let thread = try PlainThread.start(name: "clears") {
      // Outside the lock, because the test polls the result in the meantime.
      let result = Result { try context.clear() }
      resultBox.result.withLock { $0 = result }
    }
    while try !isLockAwaited(inode) {
      try #require(resultBox.result.withLock { $0 == nil })
    }
    #expect(try context.get() == 1)
    _ = consume lock
    thread.join()
    try resultBox.result.withLock(\.self)?.get()
    #expect(try context.get() == nil)
  }

  /// The result of a clearing in another thread.
  private final class ResultBox: Sendable {
    /// The result, or `nil` while the clearing is running.
    let result = Mutex<Result<Void, any Error>?>(nil)
  }

  @Test func `recovery removes the temporary file of a context writer that died`() throws {
    try context.set(1)
    try write("half", to: "\(store.app.contextFile).new.0123456789ab")
    _ = try Recovery.run(in: store.root)
    #expect(try FileSystem.names(in: store.app.contextDirectory) == ["app.json"])
    #expect(try context.get() == 1)
  }
}
