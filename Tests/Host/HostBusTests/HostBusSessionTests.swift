// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import HostBus

/// Tests of sessions that clients launch over D-Bus, with the real server, sandbox and extension.
@Suite(.timeLimit(.minutes(20)), .waiting) struct HostBusSessionTests {
  /// The options of a launch with a test pattern and without a watchdog, because a busy machine can delay a
  /// launch by seconds.
  private static let pattern = BusValue.dictionary([
    ("camera", .string("pattern:64x48@30")), ("watchdog", .double(0)),
  ])

  /// Installs Snapshot, launches it, and returns the path of the session.
  private func launchSnapshot(_ rig: BusRig, _ client: BusClient) throws -> String {
    try client.call(BusObject.root, .manager, "Install", .string(try rig.snapshotBundle()))
    let id = "\(BusRig.app).snapshot"
    let path = BusObject.captureExtension(app: BusRig.app, id).path
    let session = try client.call(path, .captureExtension, "Launch", Self.pattern).first?.text
    #expect(try client.property(try #require(session), .session, "Target") == .string(id))
    return try #require(session)
  }

  @Test func `delivers the picture of a press, and reports each change by a signal`() throws {
    let rig = try BusRig(options: [])
    let client = try rig.client()
    let session = try launchSnapshot(rig, client)
    let id = try BusRig.session(session)
    let app = BusObject.app(BusRig.app).path
    for object in [app, BusObject.captureExtension(app: BusRig.app, "\(BusRig.app).snapshot").path, session] {
      try client.signal("InterfacesAdded", of: BusObject.root) { $0[0].text == object ? () : nil }
    }
    try client.change("Presented", of: session, to: true)
    if try client.property(session, .session, "AcceptsPresses") != true {
      try client.change("AcceptsPresses", of: session, to: true)
    }
    try client.call(session, .session, "Tap", .string("primary"))
    let picture = "\(rig.root)/sessions/\(id)/content/photo-1.jpg"
    let isSaved = try TestTimeout.waitUntil { try FileSystem.status(picture) != nil }
    #expect(isSaved)
    try client.call(session, .session, "Dismiss")

    let kinds = ["started", "presented", "dismissing", "ended"]
    for kind in kinds {
      try client.signal("Event", of: session) { $0[0].text == kind ? () : nil }
    }
    try client.change("State", of: session, to: "ended")
    let result = try client.signal("Ended", of: session)[0].json()
    #expect(result["session"] == .string(id) && result["outcome"]?["by"] == "user", "\(result)")
    #expect(result["files"]?.elements?.compactMap { $0["path"]?.string } == ["photo-1.jpg"])
    try client.signal("InterfacesRemoved", of: BusObject.root) { $0[0].text == session ? () : nil }
    // The result remains available, and the object does not.
    #expect(try client.call(session, .session, "GetResult")[0].json() == result)
    #expect(
      client.failure(session, "org.darkroom.Host1.Session", "Dismiss")?.hasSuffix(".UnknownObject") == true
    )

    let delivery = try client.signal("ContentAdded", of: app)[0].json()
    #expect(delivery["session"] == .string(id) && delivery["files"] == 1)
    let listed = try client.call(app, .app, "ListContent")[0].json().elements ?? []
    #expect(listed.map { $0["path"] } == [.string(rig.content(of: id))])
    try FileSystem.makeDirectory(rig.file("copies"))
    let copy = try client.call(app, .app, "ExportContent", .string(id), .string(rig.file("copies")))[0].text
    #expect(try FileSystem.names(in: try #require(copy)) == ["photo-1.jpg"])
    try client.call(app, .app, "InvalidateContent", .string(id))
    #expect(try client.signal("ContentRemoved", of: app)[0].text == id)
    #expect(rig.stopServer() == "exit 0", "\(rig.serverErrors)")
  }

  @Test func `only the client that launched a session receives its frames`() throws {
    let rig = try BusRig(options: [])
    let (client, other) = (try rig.client(), try rig.client())
    let session = try launchSnapshot(rig, client)
    for member in ["OpenViewfinder", "NextFrame", "ReleaseFrame"] {
      #expect(
        other.failure(session, "org.darkroom.Host1.Session", member)?.hasSuffix(".AccessDenied") == true
      )
    }
    let opened = try client.call(session, .session, "OpenViewfinder")
    guard case .descriptor(let memory) = opened[0], case .uint64(let bytes) = opened[1],
      case .uint32(64) = opened[2], case .uint32(48) = opened[3]
    else {
      Issue.record("\(opened)")
      return
    }
    #expect(opened.signature == "htuua(tuuu)" && opened[4].elements?.count == 3)
    let pixels = mmap(nil, Int(bytes), PROT_READ, MAP_SHARED, memory.rawValue, 0)
    #expect(pixels != MAP_FAILED)
    defer { munmap(pixels, Int(bytes)) }
    #expect(mmap(nil, Int(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, memory.rawValue, 0) == MAP_FAILED)
    var last: UInt64 = 0
    for _ in 0..<3 {
      let frame = try client.call(session, .session, "NextFrame")
      guard case .uint64(let offset) = frame[1], case .uint64(let sequence) = frame[2] else { return }
      #expect(frame[0].bool == true && sequence > last && offset + 64 * 48 * 3 / 2 <= bytes)
      last = sequence
      let luma = UnsafeRawBufferPointer(start: pixels?.advanced(by: Int(offset)), count: 64 * 48)
      #expect(Set(luma).count > 1, "the pattern has several shades")
      try client.call(session, .session, "ReleaseFrame")
    }
    // Another client of the same user may dismiss the session.
    try other.call(session, .session, "Dismiss")
    let rest = try client.call(session, .session, "GetResult")[0].json()
    #expect(rest["outcome"]?["by"] == "user")
  }

  @Test func `dismisses the sessions of a client that disconnects, and migrates their content`() throws {
    let rig = try BusRig(options: [])
    let observer = try rig.client()
    var client: BusClient? = try rig.client()
    let session = try rig.launchScript(try #require(client))
    // Only this client disconnects: the observer has no sessions.
    client = nil
    let result = try observer.signal("Ended", of: session)[0].json()
    #expect(result["outcome"]?["kind"] == "dismissed", "\(result)")
    let content = rig.content(of: try BusRig.session(session))
    #expect(try FileSystem.names(in: content) == ["file"])
  }

  @Test func `a detached session survives its client, and another client ends it`() throws {
    let rig = try BusRig(options: [])
    let observer = try rig.client()
    var client: BusClient? = try rig.client()
    let session = try rig.launchScript(try #require(client), [("detached", .bool(true))])
    client = nil
    // The service has handled the end of the connection when a later client has connected and disconnected.
    client = try rig.client()
    _ = try client?.property(session, .session, "State")
    #expect(try observer.property(session, .session, "State") == "running")
    try observer.call(session, .session, "Terminate")
    let result = try observer.call(session, .session, "GetResult")[0].json()
    #expect(result["outcome"]?["by"] == "user", "\(result)")
    #expect(try FileSystem.names(in: rig.content(of: try BusRig.session(session))) == ["file"])
  }

  @Test func `migrates the content of all sessions if the message bus exits`() throws {
    let rig = try BusRig(options: [])
    let client = try rig.client()
    let sessions = [
      try rig.launchScript(client), try rig.launchScript(client, [("detached", .bool(true))]),
    ]
    rig.killBus()
    for session in sessions {
      let content = rig.content(of: try BusRig.session(session))
      let isMigrated = try TestTimeout.waitUntil { try FileSystem.status("\(content)/file") != nil }
      #expect(isMigrated, "\(rig.serverErrors)")
    }
  }

  @Test func `a stopped server migrates its sessions, and reports their results`() throws {
    let rig = try BusRig(options: [])
    let client = try rig.client()
    let session = try rig.launchScript(client)
    #expect(rig.stopServer() == "exit 0", "\(rig.serverErrors)")
    let result = try client.signal("Ended", of: session)[0].json()
    #expect(result["outcome"]?["kind"] == "dismissed", "\(result)")
    #expect(try FileSystem.names(in: rig.content(of: try BusRig.session(session))) == ["file"])
  }

  @Test func `presses of one client reach the extension in their order`() throws {
    let rig = try BusRig(options: [])
    let client = try rig.client()
    try client.call(BusObject.root, .manager, "Install", .string(try rig.eventsBundle()))
    let options = BusValue.dictionary([("watchdog", .double(0))])
    let id = BusValue.string("\(BusRig.app).notes")
    let session = try #require(try client.call(BusObject.root, .manager, "Launch", id, options)[0].text)
    if try client.property(session, .session, "AcceptsPresses") != true {
      try client.change("AcceptsPresses", of: session, to: true)
    }
    let (members, phases) = (
      ["Press", "Release", "Press", "Cancel"], ["began", "ended", "began", "cancelled"]
    )
    let rounds = 10
    for member in Array(repeatElement(members, count: rounds).joined()) {
      // The client does not wait for the replies.
      let button = [BusValue.string("primary")]
      try client.bus.post(BusClient.service, session, "org.darkroom.Host1.Session", member, button)
    }
    let file = "\(rig.root)/sessions/\(try BusRig.session(session))/content/events"
    var lines: [[UInt8]] = []
    let areWritten = TestTimeout.waitUntil {
      let bytes = try? FileSystem.contents(file, limit: 1 << 20)
      lines = (bytes ?? []).split(separator: UInt8(ascii: "\n")).map { Array($0) }
      return lines.count == rounds * phases.count
    }
    #expect(areWritten, "\(lines.count)")
    let received = try lines.map { try JSONNode.parse($0).value["params"]?["phase"]?.string }
    #expect(received == Array(repeatElement(phases, count: rounds).joined()))
  }
}
