// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct AppContextStoreTests {
  let store: TemporaryStore
  let context: AppContextStore

  init() throws {
    store = try TemporaryStore()
    context = AppContextStore(store.app)
  }

  @Test func `what is set is got, until it is cleared`() throws {
    #expect(try context.get() == nil)
    #expect(try context.set(["zoom": 2]) == 10)
    #expect(try context.get() == ["zoom": 2])
    try context.clear()
    try context.clear()
    #expect(try context.get() == nil)
  }

  @Test func `a context of exactly the limit is taken, one of a byte more is not and the old one stays`()
    throws
  {
    // Two bytes are the quotes.
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

  @Test func `a damaged context is named with its path, and clearing mends it`() throws {
    try write("{", to: store.app.contextFile)
    let error = #expect(throws: StoreError.self) { try context.get() }
    #expect(error?.description.hasPrefix("\(store.app.contextFile) is damaged") == true)
    #expect(error?.description.contains("darkroom context clear org.example.camera") == true)
    try context.clear()
    #expect(try context.get() == nil)
  }

  @Test func `what a writer left that died is removed by recovery`() throws {
    try context.set(1)
    try write("half", to: "\(store.app.contextFile).new.0123456789ab")
    _ = try Recovery.run(in: store.root)
    #expect(try FileSystem.names(in: store.app.contextDirectory) == ["app.json"])
    #expect(try context.get() == 1)
  }
}
