// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the session log, the storage, the photo library, shared files and the passcode of a host.
@Suite(.timeLimit(.minutes(20))) struct HostRecordsTests {
  @Test func `lists, prints and verifies the log entry of each session`() async throws {
    let fixture = try HostFixture()
    let history = fixture.host.history
    #expect(try await history.entries().entries.isEmpty)
    #expect(try await history.head() == nil)
    #expect(try await history.verify().isValid)
    let session = try await fixture.host.launch(fixture.script("exit 3"))
    _ = try await session.result
    let second = try await fixture.host.launch(fixture.script("sleep 600"))
    second.terminate()
    _ = try await second.result
    let entries = try await history.entries().entries
    #expect(entries.map { $0.session?.id } == [second.id, session.id] && entries.map(\.sequence) == [2, 1])
    #expect(entries.map { $0.session?.outcome } == [.dismissed, .completed])
    var filter = SessionHistory.Filter()
    (filter.appID, filter.outcomes) = (HostFixture.app, [.completed])
    #expect(try await history.entries(matching: filter).entries == [entries[1]])
    filter.until = (entries[1].session?.startedAt ?? 1) - 1
    #expect(try await history.entries(matching: filter).entries.isEmpty)
    filter = SessionHistory.Filter()
    filter.maximumEntries = 1
    #expect(try await history.entries(matching: filter).entries == [entries[0]])
    #expect(try await history.record(of: session.id)?.contains(session.id) == true)
    #expect(try await history.record(of: "00000000-0000-4000-8000-000000000000") == nil)
    await #expect { try await history.record(of: "none") } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
  }

  @Test func `finds a head in the log, and reports a removed newest entry`() async throws {
    let fixture = try HostFixture()
    let history = fixture.host.history
    for _ in 0..<2 {
      let session = try await fixture.host.launch(fixture.script("true"))
      _ = try await session.result
    }
    let head = try #require(try await history.head())
    let valid = try await history.verify(head: head)
    #expect(valid.isValid && valid.validEntries == 2 && valid.head == head && valid.headComparison == .found)
    try runShell("sed -i '$d' '\(fixture.host.statePath)/log/sessions.ndjson'")
    let truncated = try await history.verify(head: head)
    #expect(!truncated.isValid && truncated.validEntries == 1 && truncated.headComparison == .truncated)
    await #expect { try await history.verify(head: "1") } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
  }

  @Test func `refuses a session of an app at its limit, and reports the usage`() async throws {
    let fixture = try HostFixture()
    let storage = fixture.host.storage
    try await fixture.install("Notes")
    #expect(try await storage.limits(of: HostFixture.app) == HostStorage.Limits())
    let session = try await fixture.host.launch(fixture.script("echo text >/session/file"))
    _ = try await session.result
    try await storage.setLimits(.init(sessions: 1), of: HostFixture.app)
    try await storage.setLimits(.init(files: 1000))
    #expect(try await storage.limits().files == 1000)
    #expect(try await storage.limits(of: HostFixture.app) == HostStorage.Limits(sessions: 1))
    let usage = try await storage.usage(of: HostFixture.app)
    #expect(usage.bytes == 5 && usage.files == 1 && usage.sessions == 1 && usage.freeBytes > 0)
    #expect(usage.limits.files == 1000 && usage.limits.sessions == 1 && usage.refusal != nil)
    await #expect { try await fixture.host.launch(fixture.script("true")) } throws: { error in
      if case .insufficientSpace = error as? HostError { true } else { false }
    }
    await #expect { try await storage.setLimits(.init(bytes: -1)) } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
    await #expect { try await storage.setLimits(.init(), of: "org.example.none") } throws: { error in
      if case .notInstalled = error as? HostError { true } else { false }
    }
    _ = try await storage.emptyTrash()
  }

  @Test func `adds, lists, exports, selects and deletes assets of the photo library`() async throws {
    let scratch = try ScratchDirectory()
    let fixture = try HostFixture { $0.photoLibrary = .path("\(scratch.path)/library") }
    let photos = fixture.host.photos
    #expect(try await photos.assets().isEmpty)
    let file = "\(scratch.path)/picture.jpg"
    try FileSystem.replaceContents(file, with: Array("picture".utf8))
    let additions = try await photos.add([file, "\(scratch.path)/none.jpg"], for: HostFixture.app)
    let asset = try #require(additions.assets.first)
    #expect(additions.assets.count == 1 && additions.failures.map(\.path) == ["\(scratch.path)/none.jpg"])
    #expect(asset.mediaType == "image" && asset.bytes == 7 && asset.appID == HostFixture.app)
    #expect(try await photos.assets(addedBy: HostFixture.app) == [asset])
    #expect(try await photos.assets(addedBy: "org.example.none").isEmpty)
    #expect(try await photos.assets(in: "none").isEmpty)
    try await photos.select([asset.id], for: HostFixture.app)
    #expect(try await photos.selection(for: HostFixture.app) == [asset.id])
    try FileSystem.makeDirectories("\(scratch.path)/copies")
    let copy = try await photos.export(asset.id, to: "\(scratch.path)/copies")
    #expect(try FileSystem.contents(copy, limit: 100) == Array("picture".utf8))
    #expect(try await photos.verify().isEmpty)
    try FileSystem.unlink(asset.path)
    let discrepancies = try await photos.verify()
    #expect(discrepancies.map(\.asset) == [asset] && discrepancies.first?.isMissing == true)
    try await photos.delete(asset.id)
    #expect(try await photos.assets().isEmpty)
    #expect(try await photos.recover() == 0)
    await #expect { try await photos.delete(asset.id) } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
    let without = try HostFixture()
    await #expect { try await without.host.photos.assets() } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
  }

  @Test func `publishes, lists and clears the files that an app shares`() async throws {
    let fixture = try HostFixture()
    try await fixture.install("Notes")
    let assets = try await fixture.host.apps.find(HostFixture.app).assets
    #expect(try await assets.list().isEmpty)
    try FileSystem.makeDirectories(fixture.file("luts"))
    try FileSystem.replaceContents(fixture.file("luts/warm.cube"), with: Array("lut".utf8))
    let set = try await assets.publish(fixture.file("luts"))
    #expect(set.files == 1 && set.bytes == 3 && set.isCurrent && !set.isInUse)
    #expect(try await assets.list().map(\.generation) == [set.generation])
    #expect(try await assets.clear())
    #expect(try await assets.list().isEmpty)
    #expect(try await !assets.clear())
    await #expect { try await assets.publish(fixture.file("none")) } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
  }

  @Test func `replaces and clears the passcode only with the current one`() async throws {
    let fixture = try HostFixture()
    let passcode = fixture.host.passcode
    #expect(try await !passcode.isSet())
    #expect(try await passcode.set("1234") == .succeeded)
    #expect(try await passcode.isSet())
    #expect(try await passcode.verify("1234") == .succeeded)
    #expect(try await passcode.verify("12345") == .failed)
    #expect(try await passcode.set("5678", current: "0000") == .failed)
    #expect(try await passcode.set("5678", current: "1234") == .succeeded)
    await #expect { try await passcode.set("1", current: "5678") } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
    #expect(try await passcode.clear(current: "5678") == .succeeded)
    await #expect { try await passcode.verify("5678") } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
    #expect(try await !passcode.isSet())
  }

  @Test func `encodes the viewfinder of a session that another host runs`() async throws {
    let fixture = try HostFixture()
    let id = try await fixture.install("Snapshot", program: "bin/Snapshot")
    var options = LaunchOptions(camera: .testPattern(width: 64, height: 48))
    options.watchdog = .zero
    let session = try await fixture.host.launch(id, options)
    try await session.events.first { if case .presented = $0 { () } else { nil } }
    let image = try await fixture.secondHost().image(ofViewfinder: session.id)
    #expect(image.format == .png && image.width == 64 && image.height == 48 && image.sequence > 0)
    #expect(Array(image.bytes.prefix(4)) == [0x89] + Array("PNG".utf8))
    session.dismiss()
    _ = try await session.result
    await #expect { try await fixture.host.image(ofViewfinder: session.id) } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
  }

  @Test func `lists the uses of a camera, of running sessions first`() async throws {
    let fixture = try HostFixture()
    let history = fixture.host.history
    #expect(try await history.deviceUses().uses.isEmpty)
    var program = fixture.script("head -c 1000 >frame && test $(stat -c %s frame) = 1000")
    program.camera = .testPattern(width: 64, height: 48)
    let ended = try await fixture.host.launch(program)
    #expect(try await ended.result.exitCode == 0)
    (program.arguments, program.appID) = (["-c", "head -c 1000 >frame; sleep 600"], "org.example.other")
    let running = try await fixture.host.launch(program)
    try await fixture.awaitFile("frame", of: running)
    let uses = try await history.deviceUses().uses
    #expect(uses.map(\.session) == [running.id, ended.id])
    #expect(uses.map(\.isRunning) == [true, false] && uses.allSatisfy { $0.resource == .camera })
    #expect(uses[0].milliseconds == nil && uses[1].milliseconds != nil)
    #expect(uses[0].startedAt >= uses[1].startedAt && uses[1].appID == HostFixture.app)
    #expect(try await history.deviceUses(of: HostFixture.app).uses == [uses[1]])
    #expect(try await history.deviceUses(maximumUses: 1).uses == [uses[0]])
    #expect(try await history.deviceUses(maximumUses: -1).uses.isEmpty)
    #expect(try await history.deviceUses(resource: .microphone).uses.isEmpty)
    running.terminate()
    _ = try await running.result
  }
}
