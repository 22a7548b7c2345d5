// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LinuxPrimitives
import LockedCameraCapture
import Synchronization
import Testing

/// The error that the body of an import throws.
private struct TestError: Error {}

/// Counts calls from any thread.
private final class CallCounter: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock(\.self) }
  func add() { number.withLock { $0 += 1 } }
}

@Suite(.timeLimit(.minutes(20))) struct ImportLedgerTests {
  private static func ledger(_ state: FakeStateRoot) throws -> ImportLedger {
    try ImportLedger(directory: URL(filePath: "\(state.root)/library", directoryHint: .isDirectory))
  }

  private static func write(_ text: String, _ directory: URL) throws {
    let path = directory.appending(path: "photo.jpg").path(percentEncoded: false)
    try FileSystem.replaceContents(path, with: Array(text.utf8))
  }

  @Test func `imports a session once, even if its files are removed afterwards`() async throws {
    let state = try FakeStateRoot()
    let id = UUID()
    let ledger = try Self.ledger(state)
    #expect(try !ledger.contains(id))
    #expect(try await ledger.importSession(id) { try Self.write("x", $0) })
    #expect(try ledger.contains(id))
    #expect(try state.names("library") == [".ledger", id.uuidString.lowercased()])
    #expect(try FileSystem.names(in: ledger.location(of: id).path(percentEncoded: false)) == ["photo.jpg"])
    try FileSystem.removeTree(ledger.location(of: id).path(percentEncoded: false))
    // Another process with the same ledger.
    #expect(try await !Self.ledger(state).importSession(id) { _ in throw TestError() })
    #expect(try state.names("library") == [".ledger"])
  }

  @Test func `leaves no files if an import throws, and imports again later`() async throws {
    let state = try FakeStateRoot()
    let id = UUID()
    let ledger = try Self.ledger(state)
    await #expect(throws: TestError.self) {
      try await ledger.importSession(id) { directory in
        try Self.write("half", directory)
        throw TestError()
      }
    }
    #expect(try state.names("library") == [".ledger"])
    try await ledger.importSession(id) { directory in
      #expect(try FileSystem.names(in: directory.path(percentEncoded: false)) == [])
      try Self.write("whole", directory)
    }
    #expect(
      try FileSystem.names(in: "\(state.root)/library/.ledger") == ["\(id.uuidString.lowercased()).imported"]
    )
  }

  @Test func `finishes or restarts an import that was killed between any two steps`() async throws {
    let state = try FakeStateRoot()
    let ledger = try Self.ledger(state)
    let places = ImportPaths(library: "\(state.root)/library")
    for step in 0..<3 {
      let id = UUID()
      let name = id.uuidString.lowercased()
      do {
        // The lock is released with the value, as it is when a process dies.
        let run = try #require(try ImportRun(places, name))
        #expect(try run.stage())
        try Self.write("first", URL(filePath: places.incoming(name)))
        if step > 0 { try run.publish() }
        if step > 1 { try run.finish() }
      }
      let calls = CallCounter()
      let isNew = try await ledger.importSession(id) { directory in
        calls.add()
        try Self.write("second", directory)
      }
      #expect(isNew == (step < 2))
      #expect(calls.count == (step == 0 ? 1 : 0))
      let text = try FileSystem.contents("\(places.target(name))/photo.jpg").map {
        String(decoding: $0, as: UTF8.self)
      }
      #expect(text == (step == 0 ? "second" : "first"))
      #expect(try FileSystem.status(places.claim(name)) == nil)
    }
  }

  @Test func `imports a session once if many tasks import it concurrently`() async throws {
    let state = try FakeStateRoot()
    let id = UUID()
    let calls = CallCounter()
    let new = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<12 {
        group.addTask {
          try await Self.ledger(state).importSession(id) { directory in
            calls.add()
            try Self.write("x", directory)
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(new == 1)
    #expect(calls.count == 1)
  }

  @Test func `reports the number of earlier attempts to a one-time operation`() async throws {
    let state = try FakeStateRoot()
    let id = UUID()
    let ledger = try Self.ledger(state)
    for attempt in 0..<3 {
      await #expect(throws: TestError.self) {
        try await ledger.performOnce(id) { before in
          #expect(before == attempt)
          throw TestError()
        }
      }
    }
    let isNew = try await ledger.performOnce(id) { before in #expect(before == 3) }
    #expect(isNew)
    #expect(try await !ledger.performOnce(id) { _ in throw TestError() })
  }

  @Test func `imports every session once if the app is killed repeatedly`() throws {
    let state = try FakeStateRoot()
    let names = try (0..<40).map { try state.migrateSession(files: ["a.jpg": "a\($0)", "b.jpg": "b\($0)"]) }
    var lines: [String] = []
    var runs = 0
    while try !FileSystem.names(in: "\(state.container)/SessionContent").isEmpty {
      let app = try ChildApp(["import", state.container, "\(state.root)/library"])
      // Kills the app at a different point of its work in each run.
      for _ in 0...(runs % 3) where lines.last != "done" { lines.append(try app.line()) }
      try app.send(SIGKILL)
      #expect(app.wait() == 128 + SIGKILL || lines.last == "done")
      runs += 1
      try #require(runs < 200)
    }
    let last = try ChildApp(["import", state.container, "\(state.root)/library"])
    #expect(last.wait() == 0)
    let imported = lines.filter { $0.hasPrefix("imported ") }
    #expect(Set(imported).count == imported.count)
    #expect(Set(try state.names("library")) == Set(names + [".ledger"]))
    for (index, name) in names.enumerated() {
      let text = try FileSystem.contents("\(state.root)/library/\(name)/b.jpg") ?? []
      #expect(String(decoding: text, as: UTF8.self) == "b\(index)")
    }
    #expect(runs > 5)
  }
}
