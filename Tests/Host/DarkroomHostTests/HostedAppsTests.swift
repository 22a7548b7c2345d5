// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of installed apps, their content, context and permissions.
@Suite(.timeLimit(.minutes(20))) struct HostedAppsTests {
  @Test func `installs, lists, finds and uninstalls an app`() async throws {
    let fixture = try HostFixture()
    let id = try await fixture.install("Notes")
    let apps = fixture.host.apps
    let listing = try await apps.list()
    #expect(listing.apps.map(\.id) == [HostFixture.app] && listing.failures.isEmpty)
    let app = try await apps.find(HostFixture.app)
    #expect(app.name == "Sample" && app.extensions.map(\.id) == [id] && app.controls.isEmpty)
    #expect(app.extensions.first?.policy == "capture" && app.extensions.first?.usesProtocol == true)
    #expect(try await apps.install(bundleAt: fixture.file("Notes")).isReplacement)
    try await apps.uninstall(HostFixture.app)
    await #expect { try await apps.find(HostFixture.app) } throws: { error in
      if case .notInstalled(HostFixture.app, _) = error as? HostError { true } else { false }
    }
  }

  @Test func `refuses a bundle with errors, and reports each with its position and fix`() async throws {
    let fixture = try HostFixture()
    try FileSystem.makeDirectories(fixture.file("Bad/Extensions"))
    let text = "{\n  \"id\": \"org.example.bad\",\n  \"name\": 5\n}\n"
    try FileSystem.replaceContents(fixture.file("Bad/app.json"), with: Array(text.utf8))
    let diagnostics = try await fixture.host.apps.validate(bundleAt: fixture.file("Bad"))
    let fault = try #require(diagnostics.first { $0.file == "app.json" && $0.key == "name" })
    #expect(fault.severity == .error && fault.line == 3 && fault.column != nil)
    #expect(!fault.reason.isEmpty && !fault.fix.isEmpty && fault.description.hasPrefix("app.json:3:"))
    await #expect { try await fixture.host.apps.install(bundleAt: fixture.file("Bad")) } throws: { error in
      if case .bundle(diagnostics, _) = error as? HostError { true } else { false }
    }
  }

  @Test func `stores the context as JSON, and rejects other text`() async throws {
    let fixture = try HostFixture()
    try await fixture.install("Notes")
    let context = try await fixture.host.apps.find(HostFixture.app).context
    #expect(try await context.get() == nil)
    try await context.set(#"{ "zoom": 2 }"#)
    #expect(try await context.get() == #"{"zoom":2}"#)
    for text in ["{", "\"\(String(repeating: "x", count: 5000))\""] {
      await #expect { try await context.set(text) } throws: { error in
        if case .argument = error as? HostError { true } else { false }
      }
    }
    #expect(try await context.get() == #"{"zoom":2}"#)
    try await context.clear()
    #expect(try await context.get() == nil)
  }

  @Test func `stores decisions about permissions, and rejects those that a resource does not support`()
    async throws
  {
    let fixture = try HostFixture()
    try await fixture.install("Notes")
    let permissions = try await fixture.host.apps.find(HostFixture.app).permissions
    #expect(try await permissions.get().isEmpty)
    try await permissions.set(.camera, to: .devices(["a camera"]))
    try await permissions.set(.microphone, to: .denied)
    #expect(try await permissions.get() == [.camera: .devices(["a camera"]), .microphone: .denied])
    await #expect { try await permissions.set(.photos, to: .ask) } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
    try await permissions.reset(.microphone)
    #expect(try await permissions.get() == [.camera: .devices(["a camera"])])
    try await permissions.resetAll()
    #expect(try await permissions.get().isEmpty)
  }

  @Test func `reports content as it is delivered and removed, and exports it`() async throws {
    let fixture = try HostFixture()
    try await fixture.install("Notes")
    let content = try await fixture.host.apps.find(HostFixture.app).content
    var changes = content.changes(consumer: "tests").makeAsyncIterator()
    #expect(try await changes.next() == .initial([]))
    let session = try await fixture.host.launch(fixture.script("echo text >/session/file"))
    #expect(try await session.result.outcome == .completed(exitCode: 0))
    let delivery = try #require(try await content.list().first)
    #expect(delivery.session == session.id && delivery.files == 1 && delivery.bytes == 5)
    #expect(try await changes.next() == .added(delivery))
    let copy = try await content.export(session.id, to: fixture.file("copies"))
    #expect(try FileSystem.names(in: copy) == ["file"])
    try await content.invalidate(session.id)
    #expect(try await changes.next() == .removed(session: session.id))
    #expect(try await content.list().isEmpty)
    #expect(try await content.quarantine().isEmpty)
    await #expect { try await content.export("no ID", to: copy) } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
    let waiting = Task { [changes] in
      var changes = changes
      return try await changes.next()
    }
    waiting.cancel()
    #expect(try await waiting.value == nil)
  }

  @Test func `reports the changes of migration, and deletes what was quarantined`() async throws {
    let fixture = try HostFixture()
    try await fixture.install("Notes")
    let content = try await fixture.host.apps.find(HostFixture.app).content
    let script = "cd /session; echo text >./-file; echo text >file"
    let session = try await fixture.host.launch(fixture.script(script))
    #expect(try await session.result.outcome == .completed(exitCode: 0))
    let changes = try #require(try await content.migrationChanges(of: session.id))
    let renamed = try #require(changes.first { $0.formerName == "-file" })
    #expect(renamed.change == "renamed" && !renamed.path.hasPrefix("-") && !renamed.explanation.isEmpty)
    // No extension can create what migration would quarantine.
    let quarantine = "\(fixture.host.statePath)/apps/\(HostFixture.app)/quarantine/\(session.id)"
    try FileSystem.makeDirectories("\(quarantine)/items")
    try FileSystem.replaceContents("\(quarantine)/items/0", with: Array("text\n".utf8))
    #expect(try await content.quarantine().map(\.session) == [session.id])
    let removal = try await content.removeQuarantined(session.id, overwriting: true)
    #expect(removal.files == 1 && removal.bytes == 5 && removal.overwrittenBytes == 5)
    #expect(removal.filesNotOverwritten == 0)
    #expect(try await content.quarantine().isEmpty)
    await #expect { try await content.removeQuarantined(session.id) } throws: { error in
      if case .store = error as? HostError { true } else { false }
    }
    try await content.invalidate(session.id)
    await #expect { try await content.migrationChanges(of: session.id) } throws: { error in
      if case .store = error as? HostError { true } else { false }
    }
  }

  @Test func `opens an app with an activity, and reports an app without a program`() async throws {
    let fixture = try HostFixture()
    try await fixture.install("Notes")
    let silent = try await fixture.host.apps.find(HostFixture.app)
    await #expect { _ = try await silent.open() } throws: { error in
      if case .program = error as? HostError { true } else { false }
    }
    let log = fixture.file("opened")
    try await fixture.install("Notes", members: #", "open": ["/bin/sh", "-c", "echo x >>\#(log)"]"#)
    let app = try await fixture.host.apps.find(HostFixture.app)
    let delivery = try await app.open(with: #"{"activityType": "org.example.edit"}"#)
    let mailbox = "\(fixture.host.statePath)/apps/\(HostFixture.app)/container/Activities"
    let pending = try FileSystem.names(in: mailbox)
    #expect(pending.contains { $0.contains(delivery) }, "\(pending)")
    let deadline = TestTimeout.deadline
    while try FileSystem.status(log) == nil {
      try #require(MonotonicClock.now < deadline, "the program was not started")
      try await Task.sleep(for: .milliseconds(10))
    }
    for text in ["{", "{}", "5"] {
      await #expect { _ = try await app.open(with: text) } throws: { error in
        if case .argument = error as? HostError { true } else { false }
      }
    }
    try await fixture.host.apps.uninstall(HostFixture.app)
    await #expect { _ = try await app.open() } throws: { error in
      if case .notInstalled = error as? HostError { true } else { false }
    }
  }
}
