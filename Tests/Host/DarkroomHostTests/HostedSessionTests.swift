// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sessions that this process hosts, in the real sandbox, with the UID of the tests.
@Suite(.timeLimit(.minutes(20))) struct HostedSessionTests {
  /// Options with a test pattern and without a watchdog, because a busy machine can delay a launch by
  /// seconds.
  private static var pattern: LaunchOptions {
    var options = LaunchOptions(camera: .testPattern(width: 64, height: 48))
    options.watchdog = .zero
    return options
  }

  @Test func `an extension waits for a debugger, while its deadlines do not run`() async throws {
    let fixture = try HostFixture()
    let id = try await fixture.install("FrameLogger", program: "FrameLogger")
    var options = LaunchOptions(camera: .testPattern())
    (options.waitsForDebugger, options.watchdog) = (true, .milliseconds(100))
    let session = try await fixture.host.launch(id, options)
    let notice = try await session.events.first { event in
      if case .notice(let text) = event, text.contains("gdb") { text } else { nil }
    }
    #expect(notice.contains("/proc/"), "\(notice)")
    // The program has not executed an instruction, and the watchdog has not fired.
    try await Task.sleep(for: .milliseconds(500))
    session.terminate()
    let result = try await session.result
    #expect(result.outcome == .dismissed(by: .user), "\(result.outcome)")
    #expect(result.recordJSON.contains(#""debugging""#))
  }

  @Test func `migrates the picture of a press, and reports the events in their order`() async throws {
    let fixture = try HostFixture()
    let id = try await fixture.install("FrameLogger", program: "FrameLogger")
    let session = try await fixture.host.launch(id, Self.pattern)
    var events: [String] = []
    for await event in session.events {
      switch event {
      case .started(let report):
        #expect(!report.layers.isEmpty)
        events.append("started")
      case .acceptsPresses(true):
        events.append("acceptsPresses")
        session.tap(x: 1, y: 1)
        session.tap(.primary)
        try await fixture.awaitFile("capture-1.pgm", of: session)
        session.dismiss()
      case .dismissing: events.append("dismissing")
      case .ended(let outcome):
        events.append("ended")
        #expect(outcome == .dismissed(by: .user))
      case .acceptsPresses(false), .presented, .refused, .notice, .openingApplication: break
      }
    }
    #expect(events == ["started", "acceptsPresses", "dismissing", "ended"])

    let result = try await session.result
    #expect(result.session == session.id && result.appID == HostFixture.app && result.extensionID == id)
    #expect(result.outcome == .dismissed(by: .user) && result.exitCode == 0, "\(result.summary)")
    #expect(Set(result.files.map(\.path)) == ["frames.csv", "capture-1.pgm"])
    #expect(result.quarantined.isEmpty && (result.frames?.consumed ?? 0) > 0)
    // The example receives no touches.
    #expect(result.outputTail.contains("has not subscribed to pointer events"), "\(result.outputTail)")
    let content = try #require(result.contentPath)
    #expect(try FileSystem.names(in: content).sorted() == ["capture-1.pgm", "frames.csv"])
    let record = try #require(try FileSystem.contents(result.recordPath, limit: 1 << 20))
    #expect(String(decoding: record, as: UTF8.self).contains(session.id))
    #expect(result.recordJSON.contains(session.id))
    // A later iteration starts with the first event again.
    _ = try await session.events.first { if case .started = $0 { true } else { nil } }
  }

  @Test func `hands the frames of the viewfinder to one task at a time, until the session ends`() async throws
  {
    let fixture = try HostFixture()
    let id = try await fixture.install("Snapshot", program: "bin/Snapshot")
    let session = try await fixture.host.launch(id, Self.pattern)
    try await session.events.first { if case .presented = $0 { () } else { nil } }
    var last: UInt64 = 0
    for _ in 0..<3 {
      let sequence = await session.withNextFrame { frame in
        #expect(frame.width == 64 && frame.height == 48 && frame.planes.count == 3)
        frame.withPixels { #expect($0.count == 64 * 48 * 3 / 2) }
        frame.withPlane(0) { luma in #expect(luma.count == 64 * 48 && Set(luma).count > 1) }
        frame.withPlane(2) { #expect($0.count == 32 * 24) }
        return frame.sequence
      }
      #expect(try #require(sequence) > last)
      last = sequence ?? last
    }
    let waiting = Task { await session.withNextFrame { $0.sequence } }
    waiting.cancel()
    _ = await waiting.value
    session.dismiss()
    while await session.withNextFrame({ $0.sequence }) != nil {}
    #expect(try await session.result.outcome == .dismissed(by: .user))
  }

  @Test func `reports a refused call with its explanation while the program runs`() async throws {
    let fixture = try HostFixture()
    let session = try await fixture.host.launch(
      fixture.script("unshare --user true; exec sleep 1000")
    )
    let refusal = try await session.events.first { event in
      if case .refused(let refusal) = event, refusal.call == "unshare" { refusal } else { nil }
    }
    #expect(refusal.errno == "EPERM" && refusal.program == "unshare")
    #expect(!refusal.sentence.isEmpty && refusal.arguments.contains { $0.contains("CLONE_NEWUSER") })
    session.terminate()
    let result = try await session.result
    #expect(result.outcome == .dismissed(by: .user))
    #expect(result.refusals.contains { $0.call == "unshare" })
  }

  @Test func `a cancelled task dismisses its session, and receives the result after the migration`()
    async throws
  {
    let fixture = try HostFixture()
    let session = try await fixture.host.launch(
      fixture.script("echo text >/session/file; exec sleep 1000")
    )
    try await fixture.awaitFile("file", of: session)
    let waiting = Task { try await session.result }
    waiting.cancel()
    let result = try await waiting.value
    #expect(result.outcome == .dismissed(by: .hostStopped), "\(result.summary)")
    #expect(result.files.map(\.path) == ["file"])
    #expect(try FileSystem.names(in: try #require(result.contentPath)) == ["file"])
  }

  @Test func `a task that is cancelled while the host waits for the camera launches nothing`() async throws {
    let fixture = try HostFixture()
    let id = try await fixture.install("FrameLogger", program: "FrameLogger")
    let pipe = fixture.file("camera")
    try #require(mkfifo(pipe, 0o600) == 0)
    // A writer that writes nothing: the host waits for the first frame.
    let writer = try FileSystem.open(pipe, .readWrite)
    let (host, options) = (fixture.host, LaunchOptions(camera: .file(pipe)))
    let launch = Task { try await host.launch(id, options) }
    try await Task.sleep(for: .milliseconds(50))
    launch.cancel()
    await #expect(throws: HostError.cancelled) { try await launch.value }
    _ = writer.rawValue
    #expect(try FileSystem.names(in: "\(host.statePath)/sessions").isEmpty)
  }

  @Test func `dismisses a session at the end of its scope, also after an error`() async throws {
    let fixture = try HostFixture()
    let id = try await fixture.install("Notes")
    let result = try await fixture.host.withSession(of: id) { session in
      try await session.events.awaitPresses()
      session.tap(.primary)
      try await fixture.awaitFile("notes.txt", of: session)
    }
    #expect(result.outcome == .dismissed(by: .user) && result.files.map(\.path) == ["notes.txt"])

    struct ScopeError: Error {}
    await #expect(throws: ScopeError.self) {
      try await fixture.host.withSession(of: id) { _ in throw ScopeError() }
    }
    let report = try await fixture.host.recover()
    #expect(report.isClean && report.sessions.allSatisfy { $0.finding != .live })
  }

  @Test func `one session at a time is in the foreground of two hosts with one state directory`() async throws
  {
    let fixture = try HostFixture()
    let id = try await fixture.install("Notes")
    let other = try fixture.secondHost()
    #expect(try await other.apps.list().apps.map(\.id) == [HostFixture.app])
    let session = try await fixture.host.launch(id, LaunchOptions(place: .elsewhere))
    let error = await #expect(throws: HostError.self) {
      try await other.launch(id, LaunchOptions(place: .elsewhere))
    }
    guard case .foregroundOccupied(session.id, id, let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.message.hasPrefix("another session is in the foreground: \(id)"))
    // A session of a program needs no foreground.
    let second = try await other.launch(id)
    second.dismiss()
    session.dismiss()
    #expect(try await second.result.outcome == .dismissed(by: .user))
    #expect(try await session.result.outcome == .dismissed(by: .user))
    let third = try await other.launch(id, LaunchOptions(place: .elsewhere))
    await other.close()
    #expect(try await third.result.outcome == .dismissed(by: .hostStopped))
    await #expect(throws: HostError.closed) { try await other.launch(id) }
  }

  @Test func `a session from the lock screen ends when the program's own lock state becomes locked`()
    async throws
  {
    let lock = AdjustableLockState(.unlocked)
    let fixture = try HostFixture { $0.lockState = .source(lock) }
    let id = try await fixture.install("Notes")
    let session = try await fixture.host.launch(id, LaunchOptions(place: .lockScreen))
    try await session.events.awaitPresses()
    lock.set(.locked)
    #expect(try await session.result.outcome == .dismissed(by: .lockChanged))
  }

  @Test func `reports unknown extensions, programs and policies before anything is launched`() async throws {
    let fixture = try HostFixture()
    let unknown = await #expect(throws: HostError.self) { try await fixture.host.launch("org.example.none") }
    guard case .notInstalled("org.example.none", let failure) = unknown else {
      Issue.record("\(String(describing: unknown))")
      return
    }
    #expect(failure.message.contains("is not installed"))
    var program = ProgramLaunchOptions("/nonexistent", app: HostFixture.app)
    await #expect { try await fixture.host.launch(program) } throws: { error in
      if case .program = error as? HostError { true } else { false }
    }
    program.policy = "unknown"
    await #expect { try await fixture.host.launch(program) } throws: { error in
      if case .policy = error as? HostError { true } else { false }
    }
    await #expect { try await fixture.host.prewarm("org.example.none") } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
  }
}
