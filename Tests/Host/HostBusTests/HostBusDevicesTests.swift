// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import HostBus

/// Tests of sound, devices, images, keys, the passcode and paths over D-Bus.
@Suite(.timeLimit(.minutes(20)), .waiting) struct HostBusDevicesTests {
  private static let root = BusObject.root
  private static let app = BusObject.app(BusRig.app).path

  /// Calls a method of the manager, and returns the reply.
  private func manager(_ client: BusClient, _ member: String, _ arguments: BusValue...) throws -> [BusValue] {
    try client.bus.call(BusClient.service, Self.root, BusInterface.manager.rawValue, member, arguments)
  }

  /// Launches an extension of the sample app without a watchdog. Returns the path of the session.
  private func launch(_ client: BusClient, _ name: String, _ options: [(String, String)]) throws -> String {
    let members = options.map { ($0.0, BusValue.string($0.1)) } + [("watchdog", .double(0))]
    let id = BusValue.string("\(BusRig.app).\(name)")
    return try #require(try manager(client, "Launch", id, .dictionary(members))[0].text)
  }

  @Test func `the client that launched a session receives its sound as memory that it cannot change`() throws
  {
    let rig = try BusRig(options: ["--lock-state", "unlocked"])
    let (client, other) = (try rig.client(), try rig.client())
    _ = try manager(client, "Install", .string(try rig.dictaphoneBundle()))
    let session = try launch(client, "dictaphone", [("microphone", "tone:8000x2")])
    let sound = try client.call(session, .session, "OpenSound")
    guard case .descriptor(let memory) = sound[0], case .uint64(let bytes) = sound[1],
      case .uint32(8000) = sound[2], case .uint32(2) = sound[3], case .uint32(80) = sound[4]
    else {
      Issue.record("\(sound)")
      return
    }
    #expect(try memory.descriptor.status().size == Int64(bytes))
    #expect(try MemoryFile.seals(memory.descriptor).isSuperset(of: [.shrink, .grow, .futureWrite]))
    let mapping = try Mapping(memory.descriptor, length: Int(bytes), .read)
    #expect(Array(mapping.bytes[0..<4]) == Array("DKSR".utf8))
    var last: UInt64 = 0
    for _ in 0..<3 {
      let block = try client.call(session, .session, "NextSound", .uint64(last))
      guard block[0].bool == true, case .uint64(let published) = block[1] else {
        Issue.record("\(block)")
        return
      }
      #expect(published > last)
      last = published
    }
    for (member, arguments) in [("OpenSound", []), ("NextSound", [.uint64(0)])] as [(String, [BusValue])] {
      let refusal = #expect(throws: BusFailure.self) {
        _ = try other.bus.call(BusClient.service, session, BusInterface.session.rawValue, member, arguments)
      }
      #expect(refusal?.name == "org.freedesktop.DBus.Error.AccessDenied")
    }
    let interface = BusInterface.session.rawValue
    #expect(client.failure(session, interface, "NextSound", .uint64(.max))?.hasSuffix(".InvalidArgs") == true)
    try client.call(session, .session, "Dismiss")
    while try client.call(session, .session, "NextSound", .uint64(last))[0].bool == true { last += 1 }
  }

  @Test func `any client receives an image of the viewfinder as a file that it cannot change`() throws {
    let rig = try BusRig(options: ["--lock-state", "unlocked"])
    let (client, other) = (try rig.client(), try rig.client())
    _ = try manager(client, "Install", .string(try rig.snapshotBundle()))
    let session = try launch(client, "snapshot", [("camera", "pattern:64x48@30")])
    if try client.property(session, .session, "Presented") != true {
      try client.change("Presented", of: session, to: true)
    }
    let id = BusValue.string(try BusRig.session(session))
    for (format, magic) in [("", [0x89, 0x50, 0x4E, 0x47]), ("jpeg", [0xFF, 0xD8, 0xFF])]
      as [(String, [UInt8])]
    {
      let reply = try manager(other, "GetViewfinderImage", id, .string(format))
      let image = try reply[1].json()
      guard case .descriptor(let file) = reply[0], let size = image["bytes"]?.integer else {
        Issue.record("\(reply)")
        return
      }
      #expect(image["width"] == 64 && image["height"] == 48)
      #expect(image["format"] == .string(format.isEmpty ? "png" : format))
      #expect(try file.descriptor.status().size == size)
      let mapping = try Mapping(file.descriptor, length: Int(size), .read)
      #expect(Array(mapping.bytes.prefix(magic.count)) == magic)
      #expect(throws: SystemCallError.self) { _ = try file.descriptor.write(magic[...]) }
    }
    try client.call(session, .session, "Terminate")
    try client.call(session, .session, "GetResult")
    let uses = try manager(other, "ListDeviceUses", .dictionary([("resource", .string("camera"))]))
    let use = try #require(try uses[0].json().elements?.first)
    #expect(use["resource"] == "camera" && use["session"]?.string == id.text && use["running"] == false)
    #expect(use["startedAt"]?.integer != nil && use["milliseconds"]?.integer != nil && use["device"] != nil)
    let interface = BusInterface.manager.rawValue
    let ended = other.failure(Self.root, interface, "GetViewfinderImage", id, .string("png"))
    #expect(ended == "org.darkroom.Host1.Error.Argument")
  }

  @Test func `the passcode is replaced only with the current one, and is in no message of an error`() throws {
    let rig = try BusRig(options: [])
    let client = try rig.client()
    func passcode(_ member: String, _ passcodes: String...) throws -> JSONValue? {
      let arguments = passcodes.map { BusValue.string($0) }
      let interface = BusInterface.manager.rawValue
      return try client.bus.call(BusClient.service, Self.root, interface, member, arguments)[0].json()[
        "result"
      ]
    }
    #expect(try manager(client, "HasPasscode")[0].bool == false)
    #expect(try passcode("SetPasscode", "tulip-4711", "") == "succeeded")
    #expect(try manager(client, "HasPasscode")[0].bool == true)
    #expect(try passcode("SetPasscode", "daisy-4711", "wrong-4711") == "failed")
    #expect(try passcode("SetPasscode", "daisy-4711", "tulip-4711") == "succeeded")
    let long = String(repeating: "wrong-4711", count: 103)
    for (member, arguments) in [
      ("SetPasscode", [.string("abc"), .string("wrong-4711")]),
      ("SetPasscode", [.string(long), .string("")]),
      ("ClearPasscode", [.string(long)]), ("ClearPasscode", [.string("wrong-4711"), .uint32(1)]),
    ] as [(String, [BusValue])] {
      let refusal = #expect(throws: BusFailure.self) {
        let interface = BusInterface.manager.rawValue
        _ = try client.bus.call(BusClient.service, Self.root, interface, member, arguments)
      }
      #expect(refusal?.name == "org.freedesktop.DBus.Error.InvalidArgs")
      #expect(refusal?.message.contains("abc") == false && refusal?.message.contains("4711") == false)
    }
    #expect(try passcode("ClearPasscode", "daisy-4711") == "succeeded")
    #expect(try manager(client, "HasPasscode")[0].bool == false)
    // The private directory of the rig contains the state directory and the standard error of the server.
    try runShell("! grep -rqE --exclude=bus '(tulip|daisy|wrong)-4711' '\(rig.file(""))'")
  }

  @Test func `a key is bound to a control of an app, and unbound`() throws {
    let rig = try BusRig(options: [])
    let client = try rig.client()
    _ = try manager(client, "Install", .string(try rig.snapshotBundle()))
    let control = "\(BusRig.app).shutter"
    let binding: JSONValue = [
      "key": "KEY_POWER:double", "app": .string(BusRig.app), "control": .string(control),
    ]
    #expect(try manager(client, "ListKeyBindings")[0].elements?.isEmpty == true)
    let bound = try client.call(Self.app, .app, "BindKey", .string("KEY_POWER:double"), .string(control))
    #expect(try bound[0].json() == binding)
    #expect(try manager(client, "ListKeyBindings")[0].json() == [binding])
    let interface = BusInterface.app.rawValue
    let unknown = client.failure(Self.app, interface, "BindKey", .string("KEY_CAMERA"), .string("none"))
    #expect(unknown == "org.darkroom.Host1.Error.Argument")
    #expect(try manager(client, "UnbindKey", .string("KEY_POWER"))[0].json() == binding)
    #expect(try manager(client, "ListKeyBindings")[0].elements?.isEmpty == true)
  }

  @Test func `examines the machine, each shipped policy and a policy of the caller`() throws {
    let rig = try BusRig(options: [])
    let client = try rig.client()
    let path = rig.file("mine.json")
    try FileSystem.replaceContents(path, with: Array(#"{"name": "mine", "extends": "strict"}"#.utf8))
    let reply = try manager(client, "Diagnose", .strings([path]))
    #expect(reply.signature == "saa{sv}aa{sv}")
    #expect(["full", "degraded"].contains(reply[0].text), "\(reply[0])")
    let properties = try reply[1].json().elements ?? []
    #expect(properties.contains { $0["name"] == "kernel" && $0["state"] != nil }, "\(properties)")
    let trials = try reply[2].json().elements ?? []
    let shipped = try client.property(Self.root, .manager, "Policies").elements ?? []
    #expect(trials.compactMap { $0["policy"] } == shipped + ["mine"])
    #expect(trials.allSatisfy { $0["layers"]?.elements?.isEmpty == false })
    let interface = BusInterface.manager.rawValue
    let unknown = client.failure(Self.root, interface, "Diagnose", .strings(["none"]))
    #expect(unknown == "org.darkroom.Host1.Error.Policy")
    let names = BusValue.strings([String](repeating: "strict", count: 17))
    #expect(client.failure(Self.root, interface, "Diagnose", names)?.hasSuffix(".InvalidArgs") == true)
  }

  @Test func `locks until the user unlocks, and reports the sources of the lock state`() throws {
    let client = try BusRig(options: []).client()
    func lockState() throws -> JSONValue { try client.property(Self.root, .manager, "LockState") }
    // The server assumes the locked state until the sources have reported.
    #expect(try TestTimeout.waitUntil { try lockState() == "unlocked" })
    #expect(try manager(client, "GetLockStatus")[0].json()["state"] == "unlocked")
    #expect(try manager(client, "Lock").isEmpty)
    #expect(try TestTimeout.waitUntil { try lockState() == "locked" })
    let status = try manager(client, "GetLockStatus")[0].json()
    #expect(status["state"] == "locked" && status["wasUnlocked"] != nil, "\(status)")
    #expect(status["reports"]?.elements?.map { $0["state"] } == ["locked"], "\(status)")
    let other = try BusRig(options: ["--lock-state", "unlocked"]).client()
    let refused = other.failure(Self.root, BusInterface.manager.rawValue, "Lock")
    #expect(refused == "org.darkroom.Host1.Error.Argument")
  }

  @Test func `frames of a camera are saved to a file`() throws {
    let rig = try BusRig(options: [])
    let client = try rig.client()
    func capture(_ path: String, _ options: [(String, BusValue)]) throws -> JSONValue {
      let arguments = [BusValue.string("pattern:64x48@30"), .string(path), .dictionary(options)]
      return try manager(client, "CaptureFrames", arguments[0], arguments[1], arguments[2])[0].json()
    }
    let settings = BusValue.dictionary([("brightness", .int32(10))])
    let image = try capture(rig.file("a.png"), [("frames", .uint32(1))])
    #expect(image["width"] == 64 && image["height"] == 48 && image["frames"] == 1)
    let bytes = try #require(try FileSystem.contents(rig.file("a.png"), limit: 1 << 20))
    #expect(image["bytes"] == .integer(Int64(bytes.count)) && bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    // The test pattern is not a camera device, and has no settings that stay.
    for (path, options) in [
      ("a.png", []), (rig.file("a.gif"), []), (rig.file("b.png"), [("path", .string("/tmp/b.png"))]),
      (rig.file("b.png"), [("settings", settings)]),
    ] as [(String, [(String, BusValue)])] {
      let refusal = #expect(throws: BusFailure.self) { _ = try capture(path, options) }
      #expect(refusal?.name.hasSuffix("Argument") == true || refusal?.name.hasSuffix("InvalidArgs") == true)
    }
  }

  @Test func `explains the access to a path, and lists the devices of the machine`() throws {
    let client = try BusRig(options: []).client()
    let path = [BusValue.string("capture"), .string("/usr/bin/env")]
    let read = try manager(client, "ExplainAccess", path[0], path[1], .string(""))[0].json()
    #expect(read["allowed"] == true && read["use"] == "read" && read["layerNames"]?.elements != nil)
    let write = try manager(client, "ExplainAccess", path[0], path[1], .string("write"))[0].json()
    #expect(write["allowed"] == false && write["errno"] != nil)
    for camera in try manager(client, "ListCameras")[0].json().elements ?? [] {
      #expect((camera["error"] == nil) == (camera["device"] != nil))
    }
    let found = try manager(client, "ListMicrophones")[0].json().elements ?? []
    #expect(found.allSatisfy { $0["microphone"]?.string?.hasPrefix("alsa:") == true })
  }
}
