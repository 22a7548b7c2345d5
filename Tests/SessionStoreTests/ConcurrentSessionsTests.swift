// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

/// Several hosts at work in one state root; a lock excludes threads as it does processes, because each opens its own.
@Suite struct ConcurrentSessionsTests {
  @Test func `hosts that hand over and hosts that recover do not disturb each other`() async throws {
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
          // A session that somebody works on is live, and one that is done is gone.
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

  /// Prepares, fills and hands over sessions one after the other.
  private static func runSessions(_ count: Int, of app: AppStore, host: Int) throws {
    for session in 0..<count {
      let workspace = try SessionWorkspace.prepare(for: app, extensionID: "org.example.camera.capture")
      try write("\(host) \(session)", to: "\(workspace.places.contentDirectory)/file")
      let draft = SessionRecord(
        sessionID: workspace.id,
        app: app.id,
        extensionID: workspace.extensionID,
        startedAt: workspace.startedAt,
        endedAt: workspace.startedAt,
        outcome: .completed(exitCode: 0)
      )
      #expect(try HandOver(workspace, draft: draft).run().contentPath != nil)
    }
  }

  @Test func `of hosts that recover the same session, one does`() async throws {
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
