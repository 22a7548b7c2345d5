// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Synchronization
import Testing

@testable import PhotoLibrary

/// Concurrent additions, deletions and reads, each with its own connection and its own lock.
@Suite struct ConcurrencyTests {
  let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary() }

  @Test func `concurrent sessions lose no assets and readers see only complete assets`() throws {
    let location = store.location
    let content = store.content
    let failures = Mutex<[String]>([])
    let running = Atomic<Int>(3)
    let state = RunState(failures: failures, running: running)
    var threads: [ThreadBox] = []
    for writer in 0..<3 {
      threads.append(
        ThreadBox(
          try PlainThread.start(name: "writer") {
            state.recordError { try Self.addAndDelete(writer, location, content) }
            state.running.subtract(1, ordering: .releasing)
          }
        )
      )
    }
    let reader = ThreadBox(
      try PlainThread.start(name: "reader") { state.recordError { try Self.read(location, while: state) } }
    )
    for thread in threads + [reader] { thread.join() }
    #expect(state.failures.withLock { $0 } == [])
    let library = try PhotoLibrary(location)
    #expect(library.recovered == RecoveredWork())
    // Each of the three writers adds twelve assets with the same title and deletes four.
    let assets = try library.list(for: .user, atMost: 200).assets
    #expect(assets.count == 24)
    #expect(Set(assets.map(\.path)).count == 24)
    #expect(try store.visibleFiles() == assets.map(\.path).sorted())
  }

  private static func addAndDelete(_ writer: Int, _ location: LibraryLocation, _ content: String) throws {
    let library = try PhotoLibrary(location)
    let session = SessionID.random().description
    for number in 0..<12 {
      let name = "w\(writer)-\(number).jpg"
      try FileSystem.open("\(content)/\(name)", [.write, .create]).writeAll(Array("whole".utf8))
      let asset = try library.add(
        Ingest(
          directory: content,
          path: name,
          title: "same.jpg",
          app: "org.example.camera",
          session: session,
          source: .remove
        ),
        in: FileSystem.open(content, [.directory])
      )
      if number % 3 == 0 { try library.delete(asset) }
    }
  }

  private static func read(_ location: LibraryLocation, while state: RunState) throws {
    let library = try PhotoLibrary(location)
    while state.running.load(ordering: .acquiring) > 0 {
      for asset in try library.list(for: .user, atMost: 200).assets {
        // An asset that was deleted in the meantime is missing; an existing one must be complete.
        guard let file = try? library.open(asset) else { continue }
        guard try file.readAll(limit: 99) == Array("whole".utf8) else {
          throw PhotoLibraryError.noSuchAsset(asset.id)
        }
      }
    }
  }
}

/// State that the threads of a test share.
private final class RunState: Sendable {
  let failures: Mutex<[String]>
  let running: Atomic<Int>

  init(failures: consuming Mutex<[String]>, running: consuming Atomic<Int>) {
    self.failures = failures
    self.running = running
  }

  /// Runs a body and collects the error that it throws.
  func recordError(_ body: () throws -> Void) {
    do { try body() } catch { failures.withLock { $0.append("\(error)") } }
  }
}

/// A thread that can be stored in an array.
private final class ThreadBox {
  private var thread: PlainThread?

  init(_ thread: consuming PlainThread) { self.thread = consume thread }

  /// Waits for the thread to exit.
  func join() { thread.take()?.join() }
}
