// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Synchronization
import Testing

@testable import PhotoLibrary

/// Several who add, delete and read at the same time, each with a connection and a lock of its own.
@Suite struct ConcurrencyTests {
  let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary() }

  @Test func `sessions that add at once lose nothing, and a reader sees only whole assets`() throws {
    let place = store.place
    let content = store.content
    let failures = Mutex<[String]>([])
    let running = Atomic<Int>(3)
    let state = RunState(failures: failures, running: running)
    var threads: [ThreadBox] = []
    for writer in 0..<3 {
      threads.append(
        ThreadBox(
          try PlainThread.start(name: "writer") {
            state.note { try Self.addAndDelete(writer, place, content) }
            state.running.subtract(1, ordering: .releasing)
          }
        )
      )
    }
    let reader = ThreadBox(
      try PlainThread.start(name: "reader") { state.note { try Self.read(place, while: state) } }
    )
    for thread in threads + [reader] { thread.join() }
    #expect(state.failures.withLock { $0 } == [])
    let library = try PhotoLibrary(place)
    #expect(library.recovered == RecoveredWork())
    // Each writer adds twelve under one name and deletes four.
    let assets = try library.list(for: .person, atMost: 200).assets
    #expect(assets.count == 24)
    #expect(Set(assets.map(\.path)).count == 24)
    #expect(try store.visibleFiles() == assets.map(\.path).sorted())
  }

  private static func addAndDelete(_ writer: Int, _ place: LibraryPlace, _ content: String) throws {
    let library = try PhotoLibrary(place)
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
          source: .isRemoved
        ),
        in: FileSystem.open(content, [.directory])
      )
      if number % 3 == 0 { try library.delete(asset) }
    }
  }

  private static func read(_ place: LibraryPlace, while state: RunState) throws {
    let library = try PhotoLibrary(place)
    while state.running.load(ordering: .acquiring) > 0 {
      for asset in try library.list(for: .person, atMost: 200).assets {
        // One that is deleted meanwhile is missing; one that is there is whole.
        guard let file = try? library.open(asset) else { continue }
        guard try file.readAll(limit: 99) == Array("whole".utf8) else {
          throw PhotoLibraryError.noSuchAsset(asset.id)
        }
      }
    }
  }
}

/// What the threads of a test tell each other.
private final class RunState: Sendable {
  let failures: Mutex<[String]>
  let running: Atomic<Int>

  init(failures: consuming Mutex<[String]>, running: consuming Atomic<Int>) {
    self.failures = failures
    self.running = running
  }

  /// Runs a body and keeps what it throws.
  func note(_ body: () throws -> Void) {
    do { try body() } catch { failures.withLock { $0.append("\(error)") } }
  }
}

/// A thread in an array.
private final class ThreadBox {
  private var thread: PlainThread?

  init(_ thread: consuming PlainThread) { self.thread = consume thread }

  /// Waits until it has ended.
  func join() { thread.take()?.join() }
}
