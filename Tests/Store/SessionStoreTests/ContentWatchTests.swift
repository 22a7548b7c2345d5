// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import SessionStore

@Suite struct ContentWatchTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Migrates a session with one file and returns its ID.
  private func deliver() throws -> SessionID {
    try store.migrate { try write("x", to: "\($0)/x") }.record.sessionID
  }

  @Test func `reports existing content first, then each addition and removal once`() throws {
    let before = try deliver()
    var watch = try ContentWatch(store.app)
    guard case .initial(let initial) = try watch.next(until: 0) else {
      Issue.record("the first update is not the initial one")
      return
    }
    #expect(initial.map(\.id) == [before])
    let after = try deliver()
    try DeliveredContent(store.app).invalidate(before)
    guard case .added(let added) = try watch.next(until: 0) else {
      Issue.record("the second update does not report the added content")
      return
    }
    #expect(added.id == after)
    // An addition is reported only when the content is complete.
    #expect(try TemporaryStore.tree(added.path) == ["x": "x"])
    #expect(try watch.next(until: 0) == .removed(before))
    #expect(try watch.next(until: 0) == nil)
  }

  @Test func `the initial update is empty without content`() throws {
    var watch = try ContentWatch(store.app)
    #expect(try watch.next(until: 0) == .initial([]))
    #expect(try watch.next(until: 0) == nil)
  }

  @Test func `notifies every consumer`() throws {
    var one = try ContentWatch(store.app)
    var other = try ContentWatch(store.app)
    _ = try one.next(until: 0)
    _ = try other.next(until: 0)
    _ = try deliver()
    #expect(try one.next(until: 0) == other.next(until: 0))
  }

  @Test func `does not report content that was added and removed between two reads`() throws {
    var watch = try ContentWatch(store.app)
    _ = try watch.next(until: 0)
    try DeliveredContent(store.app).invalidate(deliver())
    #expect(try watch.next(until: 0) == nil)
  }

  @Test func `ignores a directory that is not a session`() throws {
    var watch = try ContentWatch(store.app)
    _ = try watch.next(until: 0)
    try FileSystem.makeDirectory("\(store.app.contentDirectory)/other")
    #expect(try watch.next(until: 0) == nil)
  }

  @Test func `a rescan after lost events reports each change once`() throws {
    let before = try deliver()
    var watch = try ContentWatch(store.app)
    _ = try watch.next(until: 0)
    let after = try deliver()
    try DeliveredContent(store.app).invalidate(before)
    // Simulates an inotify overflow; the events that were not lost arrive afterwards.
    try watch.rescan()
    #expect(try watch.next(until: 0) == .removed(before))
    guard case .added(let added) = try watch.next(until: 0) else {
      Issue.record("the added content is not reported")
      return
    }
    #expect(added.id == after)
    #expect(try watch.next(until: 0) == nil)
  }

  @Test func `the descriptor becomes readable on a change`() throws {
    var watch = try ContentWatch(store.app)
    _ = try watch.next(until: 0)
    #expect(try Poller.wait([(watch.descriptor, .readable)], until: 0) == [[]])
    _ = try deliver()
    #expect(try Poller.wait([(watch.descriptor, .readable)], until: 0) == [.readable])
  }

  @Test func `reports a removed content directory as an error`() throws {
    var watch = try ContentWatch(store.app)
    _ = try watch.next(until: 0)
    try FileSystem.removeTree(store.app.contentDirectory)
    #expect(throws: StoreError.contentDirectoryRemoved(path: store.app.contentDirectory)) {
      while try watch.next(until: 0) != nil {}
    }
  }
}
