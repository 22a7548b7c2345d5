// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import SessionStore
import Synchronization
import Testing

/// The promises about content delivery, with hosts and consumers in separate processes that are killed.
@Suite(.timeLimit(.minutes(20))) struct ContentDeliveryTests {
  private let directory: TemporaryDirectory
  private let app: AppStore
  private var root: String { "\(directory.path)/root" }

  init() throws {
    directory = try TemporaryDirectory()
    let root = StateRoot(path: "\(directory.path)/root")
    try root.prepare()
    app = try root.app("org.example.camera")
    try app.prepare()
  }

  /// Returns a command line of the `darkroom` program next to the tests.
  private func darkroom(_ arguments: String) throws -> String {
    "'\(try ChildProgram.path("darkroom"))' --root '\(root)' \(arguments)"
  }

  /// Runs four sessions at a time, kills every third host during its session, and recovers the leftovers.
  private func runHosts(_ rounds: Int) throws {
    let session =
      "for i in 1 2 3 4 5; do echo $i >/session/$i; done; mkdir /session/deep; echo x >/session/deep/y"
    let script = """
      one() {
        \(try darkroom("exec --app \(app.id) -- sh -c '\(session); sleep 0.1'")) >/dev/null 2>&1 &
        if [ $(($1 % 3)) -eq 0 ]; then sleep 0.$(($1 % 5)); kill -KILL $! 2>/dev/null; fi
        wait $!
      }
      for round in \((1...rounds).map(String.init).joined(separator: " ")); do
        for n in 1 2 3 4; do one $((round * 4 + n)) & done
        wait
      done
      \(try darkroom("recover"))
      """
    #expect(try ChildProgram("exec >'\(directory.path)/hosts' 2>&1; \(script)").wait() == 0)
  }

  /// Starts a consumer that is killed repeatedly. It appends its output to the file `told`.
  private func startKilledConsumer() throws -> ChildProgram {
    let watch = try darkroom("content watch \(app.id) --consumer killed --json")
    return try ChildProgram(
      """
      exec >>'\(directory.path)/told' 2>'\(directory.path)/errors'
      n=0
      until test -e '\(directory.path)/stop'; do
        timeout -s KILL 0.$((n % 7 + 2)) \(watch)
        n=$((n + 1))
        echo killed
      done
      \(watch) --timeout 100ms
      """
    )
  }

  @Test func `delivers every complete session once to each consumer, even if hosts and consumers are killed`()
    async throws
  {
    let observations = SessionObservations(app)
    let container = URL(filePath: app.containerDirectory, directoryHint: .isDirectory)
    let manager = LockedCameraCaptureManager(container: container)
    let killed = try startKilledConsumer()
    let library = Task {
      for try await update in try #require(manager.sessionContentUpdates(consumer: "library")) {
        if case .added(let url) = update { observations.note("library", url.lastPathComponent) }
      }
    }
    let watch = try DirectoryWatch(app.contentDirectory)
    try await runOnThread { try runHosts(4) }
    let delivered = Set(try FileSystem.names(in: app.contentDirectory))
    #expect(delivered.count >= 4)
    for change in try watch.changes() {
      if case .appeared(let name) = change { observations.note("kernel", name) }
    }
    while Set(observations.names("library")).count < delivered.count {
      try await Task.sleep(for: .milliseconds(20))
    }
    library.cancel()
    try FileSystem.replaceContents("\(directory.path)/stop", with: [])
    try await runOnThread { #expect(killed.wait() == 0) }
    for consumer in ["library", "kernel"] {
      #expect(observations.names(consumer).sorted() == delivered.sorted(), "\(consumer)")
    }
    #expect(observations.faults == [])
    try checkKilledConsumer(delivered)
    #expect(try FileSystem.names(in: app.root.sessionsDirectory) == [])
  }

  /// Checks that every session was delivered, and more than once only if the consumer was killed after it.
  private func checkKilledConsumer(_ delivered: Set<String>) throws {
    let lines = try #require(try directory.text("told")).split(separator: "\n")
    var known: Set<String> = []
    var last: String?
    for line in lines {
      guard line != "killed" else { continue }
      let value = try JSONNode.parse(String(line)).value
      guard value["type"] == "added", let name = value["session"]?["session"]?.string else {
        if value["type"] == "initial" {
          let told = Set((value["sessions"]?.elements ?? []).compactMap { $0["session"]?.string })
          #expect(told.isSubset(of: known))
          #expect(known.subtracting(told).isSubset(of: [last].compactMap(\.self)))
        }
        continue
      }
      #expect(known.insert(name).inserted || name == last)
      last = name
    }
    #expect(known == delivered)
  }

  @Test func `invalidates a session for one of two concurrent programs, and reports an error to the other`()
    async throws
  {
    try await runOnThread { try runHosts(1) }
    let name = try #require(try FileSystem.names(in: app.contentDirectory).first)
    let command = try darkroom("content invalidate \(app.id) \(name)")
    let script = """
      \(command) & a=$!
      \(command) & b=$!
      wait $a; first=$?
      wait $b; echo $first $? >'\(directory.path)/codes'
      """
    try await runOnThread {
      let code = try ChildProgram("exec 2>'\(directory.path)/errors'; \(script)").wait()
      #expect(code == 0)
    }
    let codes = try #require(try directory.text("codes")).split(whereSeparator: \.isWhitespace).map(
      String.init
    )
    #expect(codes.sorted() == ["0", "66"])
    #expect(try directory.text("errors")?.contains("has no content of session") == true)
  }
}

/// The sessions that consumers have received, each checked when it was received.
private final class SessionObservations: Sendable {
  private let app: AppStore
  private let state = Mutex((names: [String: [String]](), faults: [String]()))

  init(_ app: AppStore) { self.app = app }

  /// Returns the sessions that a consumer has received.
  func names(_ consumer: String) -> [String] { state.withLock { $0.names[consumer] ?? [] } }

  /// The differences between content and records.
  var faults: [String] { state.withLock { $0.faults } }

  /// Records a session, and checks its content against its record.
  func note(_ consumer: String, _ name: String) {
    let faults: [String]
    do { faults = try check(name) } catch { faults = ["\(error)"] }
    state.withLock {
      $0.names[consumer, default: []].append(name)
      $0.faults += faults.map { "\(consumer), \(name): \($0)" }
    }
  }

  private func check(_ name: String) throws -> [String] {
    let text = try FileSystem.contents("\(app.recordsDirectory)/\(name).json", limit: 1 << 24) ?? []
    let record = try SessionRecord(json: try JSONNode.parse(text, limits: .record).value)
    var faults = record.content.delivered ? [] : ["it is not delivered"]
    for file in record.files {
      let size = try FileSystem.status("\(app.contentDirectory)/\(name)/\(file.path)")?.size
      if size != file.size { faults.append("\(file.path) has \(size.map(String.init) ?? "no") bytes") }
    }
    let found = try FileSystem.names(in: "\(app.contentDirectory)/\(name)").count { $0 != "deep" }
    if found != record.files.count(where: { !$0.path.contains("/") }) { faults.append("\(found) files") }
    return faults
  }
}

/// Runs blocking work on a separate thread.
private func runOnThread(_ work: @escaping @Sendable () throws -> Void) async throws {
  try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
    do {
      _ = try PlainThread.start(name: "promise") { continuation.resume(with: Result { try work() }) }
    } catch { continuation.resume(throwing: error) }
  }
}
