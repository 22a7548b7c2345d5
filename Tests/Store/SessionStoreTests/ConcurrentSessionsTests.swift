// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Synchronization
import Testing

/// A running session that can be stored in an array.
private final class SessionWorkspaceBox {
  private var workspace: SessionWorkspace?

  init(_ workspace: consuming SessionWorkspace) { self.workspace = consume workspace }

  /// Ends and migrates the session.
  func migrate(_ app: AppStore) throws {
    guard let workspace = workspace.take() else { return }
    let draft = SessionRecord(
      sessionID: workspace.id,
      app: app.id,
      extensionID: workspace.extensionID,
      startedAt: workspace.startedAt,
      endedAt: workspace.startedAt,
      outcome: .completed(exitCode: 0)
    )
    #expect(try Migration(workspace, draft: draft).run().contentPath != nil)
  }
}

/// A barrier for threads that start together.
private final class StartBarrier: Sendable {
  private let count = Mutex(0)

  /// Waits until `all` threads have arrived.
  func wait(for all: Int) {
    count.withLock { $0 += 1 }
    while count.withLock({ $0 }) < all { MonotonicClock.sleep(milliseconds: 5) }
  }
}

/// Runs blocking work in its own thread.
private func runOnThread(_ work: @escaping @Sendable () throws -> Void) async throws {
  try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
    do {
      _ = try PlainThread.start(name: "host") { continuation.resume(with: Result { try work() }) }
    } catch { continuation.resume(throwing: error) }
  }
}

/// Several hosts in one state root. Locks exclude threads like processes, because each thread opens its own
/// lock file.
@Suite struct ConcurrentSessionsTests {
  @Test func `concurrent migrations and recoveries do not interfere`() async throws {
    let store = try TemporaryStore()
    let (root, app) = (store.root, store.app)
    let hosts = 4
    let sessionsPerHost = 15
    try await withThrowingTaskGroup(of: Void.self) { group in
      for host in 0..<hosts {
        group.addTask { try Self.runSessions(sessionsPerHost, of: app, host: host) }
      }
      group.addTask {
        for _ in 0..<40 {
          let summary = try Recovery.run(in: root)
          #expect(summary.isClean)
          // A session that a host works on is live, and a finished one is removed.
          #expect(summary.sessions.allSatisfy { if case .live = $0.finding { true } else { false } })
          _ = try LiveSessions.list(in: root)
        }
      }
      try await group.waitForAll()
    }
    let delivered = try DeliveredContent(app).list()
    #expect(delivered.count == hosts * sessionsPerHost)
    #expect(delivered.allSatisfy { $0.record?.erased.count == 1 })
    let texts = try Set(delivered.map { try TemporaryStore.tree($0.path)["file"] })
    #expect(texts.count == hosts * sessionsPerHost)
    #expect(try store.leftovers() == [])
  }

  /// Prepares, fills and migrates sessions one after the other.
  private static func runSessions(_ count: Int, of app: AppStore, host: Int) throws {
    for session in 0..<count {
      let workspace = try SessionWorkspace.prepare(for: app, extensionID: "org.example.camera.capture")
      try write("\(host) \(session)", to: "\(workspace.places.contentDirectory)/file")
      try workspace.places.openLog().writeAll(Array("said".utf8))
      try SessionWorkspaceBox(workspace).migrate(app)
    }
  }

  @Test(.timeLimit(.minutes(20)))
  func `eight hosts migrate 200 concurrent sessions at the same time`() async throws {
    let store = try TemporaryStore()
    let (root, app) = (store.root, store.app)
    let (hosts, sessions) = (8, 25)
    let barrier = StartBarrier()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for host in 0..<hosts {
        group.addTask {
          try await runOnThread {
            try Self.runConcurrently(sessions, of: app, host: host, barrier.wait(for: hosts))
          }
        }
      }
      try await group.waitForAll()
    }
    let delivered = try DeliveredContent(app).list()
    #expect(delivered.count == hosts * sessions)
    let texts = try Set(delivered.map { try TemporaryStore.tree($0.path) })
    #expect(texts.count == hosts * sessions)
    #expect(try store.leftovers() == [])
    #expect(try SessionLog(root).verify().isValid)
  }

  /// Prepares and fills sessions, and ends them when all hosts have reached this point.
  private static func runConcurrently(
    _ count: Int,
    of app: AppStore,
    host: Int,
    _ ready: @autoclosure () -> Void
  ) throws {
    var running: [SessionWorkspaceBox] = []
    for session in 0..<count {
      let workspace = try SessionWorkspace.prepare(for: app, extensionID: "org.example.camera.capture")
      try write("\(host) \(session)", to: "\(workspace.places.contentDirectory)/file")
      running.append(SessionWorkspaceBox(workspace))
    }
    ready()
    for box in running { try box.migrate(app) }
  }

  @Test func `concurrent recoveries finish each session once`() async throws {
    let store = try TemporaryStore()
    for _ in 0..<10 {
      let workspace = try store.workspace()
      try write("x", to: "\(workspace.places.contentDirectory)/file")
    }
    let root = store.root
    let finished = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let summary = try Recovery.run(in: root)
          #expect(summary.isClean)
          return summary.sessions.count { if case .finished = $0.finding { true } else { false } }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(finished == 10)
    #expect(try DeliveredContent(store.app).list().count == 10)
    #expect(try store.leftovers() == [])
  }
}
