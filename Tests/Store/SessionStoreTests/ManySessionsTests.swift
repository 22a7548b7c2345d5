// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

/// An app with many pending sessions: 1,000, or 10,000 with `DARKROOM_TESTS_LONG=1`.
@Suite(.timeLimit(.minutes(20))) struct ManySessionsTests {
  private let count = getenv("DARKROOM_TESTS_LONG") == nil ? 1000 : 10_000

  /// Creates delivered content and its record without a migration and without synchronization.
  private func makeDeliveredSession(_ app: AppStore, at timestamp: Int64) throws -> SessionID {
    let id = SessionID.random()
    var record = SessionRecord(
      sessionID: id,
      app: app.id,
      extensionID: "\(app.id).capture",
      startedAt: timestamp,
      endedAt: timestamp + 1,
      outcome: .completed(exitCode: 0)
    )
    record.files = (0..<20).map { .init(path: "IMG_\($0).jpg", size: 1, modified: timestamp) }
    record.content = .init(files: 20, bytes: 20, delivered: true)
    let text = String(decoding: record.json.bytes(.indented), as: UTF8.self)
    try write(text, to: app.record(id))
    try FileSystem.makeDirectory("\(app.root.trashDirectory)/\(id)")
    try FileSystem.rename("\(app.root.trashDirectory)/\(id)", to: app.content(id), .noReplace)
    return id
  }

  @Test func `reports thousands of sessions in order and every later change`() throws {
    let store = try TemporaryStore()
    // The newest session is created first, so that directory order differs from session order.
    let ids = try Array(
      (0..<count).map { try makeDeliveredSession(store.app, at: Int64(count - $0)) }.reversed()
    )
    #expect(try DeliveredContent(store.app).list().map(\.id) == ids)
    var watch = try ContentWatch(store.app, consumer: "importer")
    guard case .initial(let known) = try watch.next(until: 0) else { throw Unexpected() }
    #expect(known.isEmpty)
    for id in ids {
      guard case .added(let session) = try watch.next(until: 0) else { throw Unexpected() }
      #expect(session.id == id)
    }
    #expect(try watch.next(until: 0) == nil)
    let new = try makeDeliveredSession(store.app, at: Int64(count + 1))
    try FileSystem.removeTree(store.app.content(ids[0]))
    guard case .added(let session) = try watch.next(until: 0) else { throw Unexpected() }
    #expect(session.id == new)
    #expect(try watch.next(until: 0) == .removed(ids[0]))
    #expect(try watch.next(until: 0) == nil)
  }

  @Test func `reports every session once after an inotify queue overflow`() throws {
    let store = try TemporaryStore()
    let removedSession = try makeDeliveredSession(store.app, at: 1)
    var watch = try ContentWatch(store.app)
    _ = try watch.next(until: 0)
    let text = try #require(try FileSystem.contents("/proc/sys/fs/inotify/max_queued_events", limit: 64))
    let queue = Int(String(decoding: text.dropLast(), as: UTF8.self)) ?? 16384
    // Directories that are not sessions fill the event queue.
    for number in 0...queue {
      try FileSystem.makeDirectory("\(store.app.contentDirectory)/.filler-\(number)")
    }
    let ids = try (0..<50).map { try makeDeliveredSession(store.app, at: Int64(2 + $0)) }
    try FileSystem.removeTree(store.app.content(removedSession))
    #expect(try watch.next(until: 0) == .removed(removedSession))
    for id in ids {
      guard case .added(let session) = try watch.next(until: 0) else { throw Unexpected() }
      #expect(session.id == id)
    }
    #expect(try watch.next(until: 0) == nil)
  }

  /// An update other than the expected one.
  private struct Unexpected: Error {}
}
