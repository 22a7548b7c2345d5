// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LinuxPrimitives
import LockedCameraCapture
import Testing

@Suite(.timeLimit(.minutes(20))) struct ContentUpdateTests {
  typealias Update = LockedCameraCaptureManager.SessionContentUpdate

  @Test func `delivers existing content as the first update, then every change once`() async throws {
    let state = try FakeStateRoot()
    let first = try state.migrateSession()
    let manager = state.manager
    let updates = manager.sessionContentUpdates
    var iterator = updates.makeAsyncIterator()
    #expect(try await iterator.next() == .initial(urls: [state.url(first)]))
    #expect(manager.sessionContentURLs == [state.url(first)])
    let second = try state.migrateSession()
    #expect(try await iterator.next() == .added(url: state.url(second)))
    try await manager.invalidateSessionContent(at: state.url(first))
    #expect(try await iterator.next() == .removed(url: state.url(first)))
    // Another process removes the content.
    try FileSystem.removeTree("\(state.container)/SessionContent/\(second)")
    #expect(try await iterator.next() == .removed(url: state.url(second)))
    #expect(manager.sessionContentURLs == [])
  }

  @Test func `delivers an empty first update for an empty container`() async throws {
    let state = try FakeStateRoot()
    try FileSystem.removeTree("\(state.container)/SessionContent")
    var iterator = state.manager.sessionContentUpdates.makeAsyncIterator()
    #expect(try await iterator.next() == .initial(urls: []))
    let name = try state.migrateSession()
    #expect(try await iterator.next() == .added(url: state.url(name)))
  }

  @Test func `delivers every session to each consumer, whenever the consumer starts`() async throws {
    let state = try FakeStateRoot()
    let manager = state.manager
    let total = 60
    let names = (0..<total).map { _ in FakeStateRoot.newSessionName() }
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<5 {
        group.addTask { try await Self.collect(manager, until: total) }
      }
      group.addTask {
        for name in names {
          try state.migrateSession(name)
          await Task.yield()
        }
        return names
      }
      for try await seen in group {
        #expect(Set(seen) == Set(names))
        #expect(seen.count == names.count)
      }
    }
  }

  /// Returns the sessions that one consumer receives, until it has received `total` sessions.
  private static func collect(_ manager: LockedCameraCaptureManager, until total: Int) async throws
    -> [String]
  {
    var seen: [String] = []
    for await update in manager.sessionContentUpdates {
      switch update {
      case .initial(let urls): seen += urls.map(\.lastPathComponent)
      case .added(let url): seen.append(url.lastPathComponent)
      case .removed(let url): Issue.record("\(url) is reported as removed, but was not removed")
      @unknown default: Issue.record("\(update)")
      }
      if seen.count >= total { break }
    }
    return seen
  }

  @Test func `watches the directory only while a consumer iterates`() async throws {
    let state = try FakeStateRoot()
    let manager = state.manager
    #expect(manager.listeners == ContentListeners(consumers: 0, isWatching: false))
    var first: (any AsyncIteratorProtocol<Update, Never>)? = manager.sessionContentUpdates.makeAsyncIterator()
    var second: (any AsyncIteratorProtocol<Update, Never>)? = manager.sessionContentUpdates
      .makeAsyncIterator()
    _ = try await first?.next()
    #expect(manager.listeners == ContentListeners(consumers: 2, isWatching: true))
    first = nil
    #expect(manager.listeners == ContentListeners(consumers: 1, isWatching: true))
    _ = try await second?.next()
    second = nil
    #expect(manager.listeners == ContentListeners(consumers: 0, isWatching: false))
    // The watcher starts again for a new consumer.
    let name = try state.migrateSession()
    var third = manager.sessionContentUpdates.makeAsyncIterator()
    #expect(try await third.next() == .initial(urls: [state.url(name)]))
    #expect(manager.listeners == ContentListeners(consumers: 1, isWatching: true))
  }

  @Test func `ends a cancelled consumer, and keeps the others running`() async throws {
    let state = try FakeStateRoot()
    let manager = state.manager
    let task = Task { for await _ in manager.sessionContentUpdates {} }
    var iterator = manager.sessionContentUpdates.makeAsyncIterator()
    #expect(try await iterator.next() == .initial(urls: []))
    task.cancel()
    await task.value
    let name = try state.migrateSession()
    #expect(try await iterator.next() == .added(url: state.url(name)))
  }

  @Test func `ignores entries that are not session directories`() async throws {
    let state = try FakeStateRoot()
    let content = "\(state.container)/SessionContent"
    let manager = state.manager
    var iterator = manager.sessionContentUpdates.makeAsyncIterator()
    #expect(try await iterator.next() == .initial(urls: []))
    let name = FakeStateRoot.newSessionName()
    for hostile in [".hidden", name.uppercased(), "\(name)x", "photo", "-rf", "{\(name)}", "a\nb"] {
      try FileSystem.makeDirectory("\(content)/\(hostile)")
    }
    try FileSystem.makeSymbolicLink("\(content)/\(name)", to: "/etc")
    try FileSystem.replaceContents("\(content)/\(FakeStateRoot.newSessionName())", with: [1])
    // A UUID of version 1, which is not random.
    try FileSystem.makeDirectory("\(content)/5b0f3b0e-6a0c-1f0b-9c53-0c0e8b2f7a11")
    #expect(manager.sessionContentURLs == [])
    let good = try state.migrateSession()
    #expect(try await iterator.next() == .added(url: state.url(good)))
    #expect(manager.sessionContentURLs == [state.url(good)])
  }

  @Test func `reports removal and reappearance of the content directory`() async throws {
    let state = try FakeStateRoot()
    let name = try state.migrateSession()
    var iterator = state.manager.sessionContentUpdates.makeAsyncIterator()
    #expect(try await iterator.next() == .initial(urls: [state.url(name)]))
    let content = "\(state.container)/SessionContent"
    try FileSystem.rename(content, to: "\(state.root)/elsewhere", .noReplace)
    #expect(try await iterator.next() == .removed(url: state.url(name)))
    // An empty content directory has been created meanwhile, so the two directories are exchanged.
    try FileSystem.rename("\(state.root)/elsewhere", to: content, .exchange)
    #expect(try await iterator.next() == .added(url: state.url(name)))
  }

  /// A stopped process reads no events, so that its inotify queue overflows.
  @Test func `reports all changes after an overflow of the inotify queue`() async throws {
    let state = try FakeStateRoot()
    let kept = try state.migrateSession()
    let gone = try state.migrateSession()
    let app = try ChildApp(["watch", state.container])
    #expect(try app.line().hasPrefix("initial "))
    try app.send(SIGSTOP)
    let content = "\(state.container)/SessionContent"
    let limit = try FileSystem.contents("/proc/sys/fs/inotify/max_queued_events").map {
      Int(String(decoding: $0, as: UTF8.self).filter(\.isNumber)) ?? 0
    }
    // Each iteration queues two events. The kernel would merge consecutive equal events.
    for _ in 0...(limit ?? 16384) / 2 {
      try FileSystem.makeDirectory("\(content)/.a")
      try FileSystem.removeDirectory("\(content)/.a")
    }
    try FileSystem.removeTree("\(content)/\(gone)")
    let new = try state.migrateSession()
    try app.send(SIGCONT)
    #expect(try app.line() == "removed \(gone)")
    #expect(try app.line() == "added \(new)")
    try FileSystem.removeTree("\(content)/\(kept)")
    #expect(try app.line() == "removed \(kept)")
  }

  @Test func `delivers no content to a process that is not an app`() async throws {
    let manager = LockedCameraCaptureManager.shared
    #expect(manager.sessionContentURLs == [])
    var iterator = manager.sessionContentUpdates.makeAsyncIterator()
    #expect(try await iterator.next() == .initial(urls: []))
    try await manager.invalidateSessionContent(at: URL(filePath: "/tmp"))
    #expect(FileManager.default.fileExists(atPath: "/tmp"))
  }
}
