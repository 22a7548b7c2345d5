// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LinuxPrimitives
import LockedCameraCapture
import Synchronization
import Testing

/// The error that the body of an import throws.
private struct Trouble: Error {}

/// Counts calls from any thread.
private final class Calls: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock(\.self) }
  func add() { number.withLock { $0 += 1 } }
}

@Suite(.timeLimit(.minutes(20))) struct ImportLedgerTests {
  private static func ledger(_ state: FakeState) throws -> ImportLedger {
    try ImportLedger(directory: URL(filePath: "\(state.root)/library", directoryHint: .isDirectory))
  }

  private static func write(_ text: String, _ directory: URL) throws {
    let path = directory.appending(path: "photo.jpg").path(percentEncoded: false)
    try FileSystem.replaceContents(path, with: Array(text.utf8))
  }

  @Test func `a session is imported once, also after its files have gone`() async throws {
    let state = try FakeState()
    let id = UUID()
    let ledger = try Self.ledger(state)
    #expect(try !ledger.contains(id))
    #expect(try await ledger.importSession(id) { try Self.write("x", $0) })
    #expect(try ledger.contains(id))
    #expect(try state.names("library") == [".ledger", id.uuidString.lowercased()])
    #expect(try FileSystem.names(in: ledger.location(of: id).path(percentEncoded: false)) == ["photo.jpg"])
    try FileSystem.removeTree(ledger.location(of: id).path(percentEncoded: false))
    // Another process with the same ledger.
    #expect(try await !Self.ledger(state).importSession(id) { _ in throw Trouble() })
    #expect(try state.names("library") == [".ledger"])
  }

  @Test func `an import that throws shows nothing, and is begun anew`() async throws {
    let state = try FakeState()
    let id = UUID()
    let ledger = try Self.ledger(state)
    await #expect(throws: Trouble.self) {
      try await ledger.importSession(id) { directory in
        try Self.write("half", directory)
        throw Trouble()
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

  @Test func `killed between any two steps, the next run finishes or begins anew`() async throws {
    let state = try FakeState()
    let ledger = try Self.ledger(state)
    let places = ImportPlaces(library: "\(state.root)/library")
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
      let calls = Calls()
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

  @Test func `of many that import one session at once, one does it`() async throws {
    let state = try FakeState()
    let id = UUID()
    let calls = Calls()
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

  @Test func `what is done once is told how often it was begun`() async throws {
    let state = try FakeState()
    let id = UUID()
    let ledger = try Self.ledger(state)
    for attempt in 0..<3 {
      await #expect(throws: Trouble.self) {
        try await ledger.performOnce(id) { before in
          #expect(before == attempt)
          throw Trouble()
        }
      }
    }
    let isNew = try await ledger.performOnce(id) { before in #expect(before == 3) }
    #expect(isNew)
    #expect(try await !ledger.performOnce(id) { _ in throw Trouble() })
  }

  @Test func `an app that is killed again and again imports every session once`() throws {
    let state = try FakeState()
    let names = try (0..<40).map { try state.handOver(files: ["a.jpg": "a\($0)", "b.jpg": "b\($0)"]) }
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
