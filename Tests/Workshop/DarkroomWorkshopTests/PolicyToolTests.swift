// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import DarkroomWorkshop
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of attacks, of learning and of audits through the library.
@Suite(.timeLimit(.minutes(20))) struct PolicyToolTests {
  @Test func `attempts the attacks of a class, and removes the decoys`() async throws {
    let fixture = try WorkshopFixture()
    let policy = try CapturePolicy("strict")
    let attempts = try await fixture.host.attackAttempts()
    #expect(Set(attempts.map(\.category)) == Set(AttackAttempt.classes))
    var options = AttackOptions()
    (options.classes, options.isProved) = (["network"], true)
    try FileSystem.makeDirectory(fixture.file("decoys"))
    options.decoyDirectory = fixture.file("decoys")
    let report = try await fixture.host.attack(policy, options)
    let selected = attempts.filter { $0.category == "network" }
    #expect(report.policy == "strict" && report.results.map(\.attempt) == selected)
    #expect(report.isIntact && report.count(of: .blocked) > 0)
    // The same attempts succeed outside of the sandbox (control).
    #expect(report.results.contains { $0.outside == .gotThrough })
    #expect(report.results.allSatisfy { $0.verdict != .blocked || $0.evidence != nil })
    #expect(try FileSystem.names(in: fixture.file("decoys")).isEmpty)
  }

  @Test func `rejects a selection without attempts, and a missing probe`() async throws {
    let fixture = try WorkshopFixture()
    let policy = try CapturePolicy("capture")
    var options = AttackOptions()
    let known = try #require(try await fixture.host.attackAttempts().first).name
    // A known name does not hide an unknown one.
    let selections: [([String], [String])] = [(["none"], []), ([known, "none"], []), ([known], ["none"])]
    for (names, classes) in selections {
      (options.names, options.classes) = (names, classes)
      let none = await #expect(throws: HostError.self) { try await fixture.host.attack(policy, options) }
      #expect(none?.isArgument == true)
    }
    let probe = await #expect(throws: HostError.self) {
      try await fixture.host.attackAttempts(probe: fixture.file("none"))
    }
    guard case .program(let failure) = probe else {
      Issue.record("\(String(describing: probe))")
      return
    }
    #expect(failure.errno == Errno.noSuchFile.rawValue && failure.message.contains("--probes"))
  }

  @Test func `stops an attack and removes the decoys if the task is cancelled`() async throws {
    let fixture = try WorkshopFixture()
    try FileSystem.makeDirectory(fixture.file("decoys"))
    var options = AttackOptions()
    options.decoyDirectory = fixture.file("decoys")
    let task = Task { [options] in try await fixture.host.attack(try CapturePolicy("capture"), options) }
    task.cancel()
    let error = await #expect(throws: HostError.self) { try await task.value }
    #expect(error == .cancelled)
    #expect(try FileSystem.names(in: fixture.file("decoys")).isEmpty)
  }

  @Test func `learns the calls that a program needs, and tests the proposal`() async throws {
    let fixture = try WorkshopFixture()
    var program = ProgramLaunchOptions("sync", app: "org.darkroom.sample")
    program.policy = "capture"
    let learned = try await fixture.host.learnPolicy(for: program)
    let proposal = try #require(learned.proposal, "\(learned.lines)")
    #expect(proposal.contains(#""sync""#) && learned.runs == 1 && learned.stableRuns == 0)
    #expect(learned.trial?.refusals == [] && learned.trial?.obstacle == nil && learned.exitCode == 0)
    #expect(learned.reportJSON.contains(#""proposal""#))
    // The calls are kept, and a second run finds nothing new.
    var options = LearningOptions()
    options.testsProposal = false
    let second = try await fixture.host.learnPolicy(for: program, options)
    #expect(second.runs == 2 && second.stableRuns == 1 && second.trial == nil)
    #expect(second.stateFile == learned.stateFile)
    // The proposal is a policy under which the program runs.
    try FileSystem.replaceContents(fixture.file("learned.json"), with: Array(proposal.utf8))
    program.policy = fixture.file("learned.json")
    let session = try await fixture.host.launch(program)
    let result = try await session.result
    #expect(result.outcome == .completed(exitCode: 0) && result.refusals.isEmpty, "\(result.refusals)")
  }

  /// An installed extension that calls sync(2), which its policy refuses.
  private struct Learner {
    let fixture: WorkshopFixture
    let extensionID = "org.example.camera.capture"
    let options: LaunchOptions

    /// Creates and installs the app.
    init() async throws {
      fixture = try WorkshopFixture()
      let app = try await fixture.makeApp()
      try runShell("sed -i 's/^set -u$/set -u; sync/' '\(app)/bundle/Extensions/Capture/capture.sh'")
      _ = try await fixture.host.apps.install(bundleAt: "\(app)/bundle")
      var options = LaunchOptions(camera: .testPattern())
      options.watchdog = .zero
      self.options = options
    }

    /// Learns the calls of a session. The file is in the directory of the fixture.
    nonisolated(nonsending) func learn(
      to file: String,
      during body: nonisolated(nonsending) (HostedSession) async throws -> Void
    ) async throws -> LearnedPolicy {
      try await fixture.host.learnPolicy(
        forExtension: extensionID,
        addingCallsTo: fixture.file(file),
        options,
        during: body
      )
    }
  }

  @Test func `learns the calls of an extension, and migrates what it captured`() async throws {
    let learner = try await Learner()
    let fixture = learner.fixture
    let learned = try await learner.learn(to: "calls.json") { session in
      for await event in session.events where event == .acceptsPresses(true) { break }
      session.tap(.primary)
      while try FileSystem.names(in: "\(fixture.host.statePath)/sessions/\(session.id)/content").isEmpty {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    #expect(try #require(learned.proposal).contains(#""sync""#), "\(learned.lines)")
    #expect(learned.runs == 1 && learned.stateFile == fixture.file("calls.json") && learned.trial == nil)
    let content = try await fixture.host.apps.content(of: "org.example.camera").list()
    #expect(content.map(\.files).reduce(0, +) > 0)
    // In a regular session, the call is refused.
    let session = try await fixture.host.launch(learner.extensionID, learner.options)
    for await event in session.events where event == .acceptsPresses(true) { break }
    session.dismiss()
    #expect(try await session.result.refusals.contains { $0.call == "sync" })
  }

  @Test func `records no calls of a session that cannot finish, and starts none with a damaged file`()
    async throws
  {
    let learner = try await Learner()
    let fixture = learner.fixture
    // The closure throws.
    await #expect(throws: CancellationError.self) {
      _ = try await learner.learn(to: "none.json") { _ in throw CancellationError() }
    }
    #expect(try FileSystem.status(fixture.file("none.json")) == nil)
    // The file is damaged.
    try FileSystem.replaceContents(fixture.file("damaged.json"), with: Array("{".utf8))
    let sessions = try await fixture.host.history.entries().entries.count
    let damaged = await #expect(throws: HostError.self) {
      _ = try await learner.learn(to: "damaged.json") { _ in Issue.record("the session was started") }
    }
    guard case .store = damaged else {
      Issue.record("\(String(describing: damaged))")
      return
    }
    #expect(try await fixture.host.history.entries().entries.count == sessions)
    await #expect(throws: HostError.self) {
      _ = try await fixture.host.learnPolicy(
        forExtension: "org.example.none",
        addingCallsTo: fixture.file("none.json")
      ) { _ in }
    }
    // The host stops the session.
    let stopped = await #expect(throws: HostError.self) {
      _ = try await learner.learn(to: "none.json") { session in
        await fixture.host.close()
        for await _ in session.events {}
      }
    }
    #expect(stopped == .cancelled)
    #expect(try FileSystem.status(fixture.file("none.json")) == nil)
  }

  @Test func `proposes nothing for a program that its policy suffices for, and rejects a missing program`()
    async throws
  {
    let fixture = try WorkshopFixture()
    var options = LearningOptions()
    options.stateFile = fixture.file("calls.json")
    let program = ProgramLaunchOptions("true", app: "org.darkroom.sample")
    let learned = try await fixture.host.learnPolicy(for: program, options)
    #expect(learned.proposal == nil && learned.stateFile == fixture.file("calls.json"))
    let missing = await #expect(throws: HostError.self) {
      try await fixture.host.learnPolicy(for: ProgramLaunchOptions("/none", app: "org.darkroom.sample"))
    }
    guard case .program = missing else {
      Issue.record("\(String(describing: missing))")
      return
    }
    // The file belongs to another base policy.
    var other = program
    other.policy = "strict"
    let base = await #expect(throws: HostError.self) {
      try await fixture.host.learnPolicy(for: other, options)
    }
    guard case .store = base else {
      Issue.record("\(String(describing: base))")
      return
    }
    options.runs = 0
    let none = await #expect(throws: HostError.self) {
      try await fixture.host.learnPolicy(for: program, options)
    }
    #expect(none?.isArgument == true)
  }

  @Test func `audits an app, signs the report, and finds a changed installation`() async throws {
    let fixture = try WorkshopFixture()
    let app = try await fixture.makeApp()
    let host = fixture.host
    _ = try await host.apps.install(bundleAt: "\(app)/bundle")
    let audit = try await host.audit("org.example.camera")
    #expect(audit.id == "org.example.camera" && audit.isIntact == nil)
    #expect(audit.lines.contains { $0.contains("org.example.camera.capture") })
    #expect(audit.json.contains(#""parts""#) && audit.html.hasPrefix("<!DOCTYPE html>"))
    let signed = SignedAuditFile(
      attestation: fixture.file("audit.json"),
      publicKey: fixture.file("key.pub")
    )
    try await AuditorKey.create(at: fixture.file("key"))
    try await audit.sign(with: fixture.file("key"), to: signed.attestation)
    let verified = try await host.verify(signed, for: "org.example.camera")
    #expect(verified.isMatch && verified.extensions.map(\.id) == ["org.example.camera.capture"])
    let parts = ["bundle", "executable", "manifest", "policy", "filter"]
    let names = ["report.json", "report.html"] + parts.map { "org.example.camera.capture/\($0)" }
    #expect(Set(verified.files.keys) == Set(names))
    let program = "\(app)/bundle/Extensions/Capture/capture.sh"
    try runShell("echo '# changed' >>'\(program)'")
    _ = try await host.apps.install(bundleAt: "\(app)/bundle")
    let changed = try await host.verify(signed, for: "org.example.camera.capture")
    #expect(!changed.isMatch)
    #expect(changed.extensions.first?.differences.contains { $0.part == "executable" } == true)
    var options = AuditOptions()
    options.baseline = signed
    #expect(try await host.audit("org.example.camera", options).json.contains(#""changes""#))
    // A key that exists is not replaced, and a report that was changed has no valid signature.
    await #expect(throws: HostError.self) { try await AuditorKey.create(at: fixture.file("key")) }
    try runShell("sed -i 's/\"payload\": \"../\"payload\": \"AA/' '\(signed.attestation)'")
    let forged = await #expect(throws: HostError.self) { try await host.verify(signed) }
    guard case .audit = forged else {
      Issue.record("\(String(describing: forged))")
      return
    }
    let unknown = await #expect(throws: HostError.self) { try await host.audit("org.example.none") }
    guard case .notInstalled = unknown else {
      Issue.record("\(String(describing: unknown))")
      return
    }
  }
}
