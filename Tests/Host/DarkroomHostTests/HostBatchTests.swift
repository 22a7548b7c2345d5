// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import Glibc
import LinuxPrimitives
import Synchronization
import TestSupport
import Testing

/// Tests of batches that this process hosts, in the real sandbox, with the UID of the tests.
@Suite(.timeLimit(.minutes(20))) struct HostBatchTests {
  /// A state directory with three input files, and a batch of them.
  private struct Batch {
    let fixture: HostFixture
    let inputs: [String]

    init() throws {
      let fixture = try HostFixture()
      inputs = try ["one", "two", "three"].map { name in
        try FileSystem.replaceContents(fixture.file(name), with: Array("\(name)\n".utf8), mode: 0o644)
        return fixture.file(name)
      }
      self.fixture = fixture
    }

    /// Returns the options of a batch whose program is a shell script. The path of the input is `$0`.
    func options(_ script: String) -> BatchLaunchOptions {
      BatchLaunchOptions("test", fixture.script(script), inputs: inputs)
    }

    /// Returns the content of the delivered files with a name, ordered.
    func delivered(_ name: String) throws -> [String] {
      let content = "\(fixture.host.statePath)/apps/\(HostFixture.app)/container/SessionContent"
      return try FileSystem.names(in: content).compactMap { session in
        try FileSystem.contents("\(content)/\(session)/\(name)").map { String(decoding: $0, as: UTF8.self) }
      }
      .sorted()
    }
  }

  /// The events of a batch, as text.
  private final class Events: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }

    /// Waits for an event, without a thread of the task pool.
    func await(_ text: String) async throws {
      let deadline = TestTimeout.deadline
      while !all.contains(text) {
        try #require(MonotonicClock.now < deadline, "no event '\(text)': \(all)")
        try await Task.sleep(for: .milliseconds(10))
      }
    }

    func add(_ progress: BatchProgress) {
      let text: String? =
        switch progress {
        case .started(let input, _): "started \(FileSystem.lastComponent(input))"
        case .finished(let input, let result): "\(FileSystem.lastComponent(input)) \(result.exitCode)"
        case .notice: nil
        }
      if let text { texts.withLock { $0.append(text) } }
    }
  }

  @Test func `runs each input once, and only failed ones again on request`() async throws {
    let batch = try Batch()
    let fails = #"[ "$(cat "$0")" != two ] || [ -e /session/none ] || exit 3; cp "$0" /session/copy"#
    var options = batch.options(fails)
    options.maximumSessions = 1
    let events = Events()
    let first = try await batch.fixture.host.runBatch(options) { events.add($0) }
    #expect(first.counts == [3, 2, 1, 0])
    #expect(
      events.all == ["started one", "one 0", "started two", "two 3", "started three", "three 0"],
      "\(events.all)"
    )
    #expect(try batch.delivered("copy") == ["one\n", "three\n"])

    // A repeated path is one input, and a done input is not run again.
    options.inputs += batch.inputs
    #expect(try await batch.fixture.host.runBatch(options) == first)
    #expect(try batch.delivered("copy").count == 2)

    options.retriesFailures = true
    try FileSystem.replaceContents(batch.inputs[1], with: Array("2\n".utf8), mode: 0o644)
    let last = try await batch.fixture.host.runBatch(options)
    #expect(last.counts == [3, 3, 0, 0])
    #expect(try batch.delivered("copy") == ["2\n", "one\n", "three\n"])
  }

  @Test func `a cancelled batch dismisses its sessions, and the next run continues`() async throws {
    let batch = try Batch()
    let name = batch.fixture.file("go")
    try FileSystem.makeDirectories(name, mode: 0o755)
    let script = #"[ "$(cat "$0")" = one ] || [ -e "\#(name)/on" ] || sleep 1000; cp "$0" /session/copy"#
    var options = batch.options(script)
    options.program.readOnlyPaths = [name]
    options.maximumSessions = 1
    let events = Events()
    let running = Task { [options] in try await batch.fixture.host.runBatch(options) { events.add($0) } }
    try await events.await("started two")
    running.cancel()
    let summary = try await running.value
    #expect(summary.counts == [3, 1, 0, 2])
    #expect(try FileSystem.names(in: "\(batch.fixture.host.statePath)/sessions").isEmpty)

    try FileSystem.replaceContents("\(name)/on", with: [], mode: 0o644)
    #expect(try await batch.fixture.host.runBatch(options).done == 3)
    #expect(try batch.delivered("copy") == ["one\n", "three\n", "two\n"])
  }

  @Test func `the command continues a batch of the library`() async throws {
    let batch = try Batch()
    let (list, mark) = (batch.fixture.file("list"), batch.fixture.file("mark"))
    try FileSystem.replaceContents(list, with: Array(batch.inputs.joined(separator: "\n").utf8))
    try FileSystem.makeDirectories(mark, mode: 0o755)
    let script = #"[ "$(cat "$0")" != two ] || [ -e '\#(mark)/on' ] || exit 3; cp "$0" /session/copy"#
    var options = batch.options(script)
    options.program.readOnlyPaths = [mark]
    #expect(try await batch.fixture.host.runBatch(options).counts == [3, 2, 1, 0])
    try FileSystem.replaceContents("\(mark)/on", with: [], mode: 0o644)
    let programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    let words = """
      batch --inputs - --name test --retry-failed --app \(HostFixture.app) --read-only '\(mark)' -- /bin/sh -c
      """
    try FileSystem.replaceContents(batch.fixture.file("script"), with: Array(script.utf8))
    try runShell(
      """
      '\(programs)/darkroom' --root '\(batch.fixture.host.statePath)' \(words) \
      "$(cat '\(batch.fixture.file("script"))')" <'\(list)'
      """
    )
    #expect(try batch.delivered("copy") == ["one\n", "three\n", "two\n"])
    // The library finds what the command has done.
    #expect(try await batch.fixture.host.runBatch(options).counts == [3, 3, 0, 0])
    #expect(try batch.delivered("copy").count == 3)
  }

  @Test func `the parts of a batch run each input once`() async throws {
    let batch = try Batch()
    var options = batch.options(#"cp "$0" /session/copy"#)
    options.shard = .init(0, of: 2)
    #expect(try await batch.fixture.host.runBatch(options).counts == [2, 2, 0, 0])
    #expect(try batch.delivered("copy") == ["one\n", "three\n"])
    options.shard = .init(1, of: 2)
    #expect(try await batch.fixture.host.runBatch(options).counts == [1, 1, 0, 0])
    #expect(try batch.delivered("copy") == ["one\n", "three\n", "two\n"])
    // The command finds the ledgers of the parts.
    try FileSystem.replaceContents(
      batch.fixture.file("list"),
      with: Array(batch.inputs.joined(separator: "\n").utf8)
    )
    let programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    let words = "batch --name test --app \(HostFixture.app) --inputs - --shard 0/2 --json -- /bin/sh -c"
    try runShell(
      """
      '\(programs)/darkroom' --root '\(batch.fixture.host.statePath)' \(words) \
      'cp "$0" /session/copy' <'\(batch.fixture.file("list"))'
      """
    )
    #expect(try batch.delivered("copy").count == 3)
  }

  @Test func `closing the host stops a batch, after which none can start`() async throws {
    let batch = try Batch()
    let events = Events()
    let options = batch.options("sleep 1000")
    let running = Task { try await batch.fixture.host.runBatch(options) { events.add($0) } }
    try await events.await("started one")
    await batch.fixture.host.close()
    #expect(try await running.value.remaining == 3)
    await #expect(throws: HostError.closed) { try await batch.fixture.host.runBatch(options) }
  }

  @Test func `rejects what a batch cannot do`() async throws {
    let batch = try Batch()
    let host = batch.fixture.host
    let valid = batch.options("true")
    #expect(try await host.runBatch(valid).done == 3)
    let changes: [(inout BatchLaunchOptions) -> Void] = [
      { $0.name = "a/b" }, { $0.name = String(repeating: "n", count: 201) }, { $0.maximumSessions = 0 },
      { $0.inputs.append("") }, { $0.program.camera = .testPattern() }, { $0.shard = .init(2, of: 2) },
      { $0.shard = .init(0, of: 0) }, { $0.shard = .init(-1, of: 2) },
      { $0.program.arguments = ["-c", "false"] },
    ]
    for change in changes {
      var options = valid
      change(&options)
      await #expect { try await host.runBatch(options) } throws: { error in
        if case .argument(let failure) = error as? HostError { failure.message.contains("; ") } else { false }
      }
    }
    var options = valid
    options.program.program = "/none"
    await #expect { try await host.runBatch(options) } throws: { error in
      if case .program = error as? HostError { true } else { false }
    }
    options = batch.options("sleep 1000")
    options.name = "busy"
    let events = Events()
    let running = Task { [options] in try await host.runBatch(options) { events.add($0) } }
    try await events.await("started one")
    await #expect { try await host.runBatch(options) } throws: { error in
      if case .store = error as? HostError { true } else { false }
    }
    running.cancel()
    _ = try await running.value
  }
}

extension BatchSummary {
  /// All numbers, in the order of their declarations.
  fileprivate var counts: [Int] { [total, done, failed, remaining] }
}
