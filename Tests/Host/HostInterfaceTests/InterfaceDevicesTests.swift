// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sound, devices, images, the passcode and the photo library over the socket of `darkroom-host`.
@Suite(.timeLimit(.minutes(20))) struct InterfaceDevicesTests {
  private static let app: JSONValue = "org.darkroom.sample"

  /// Creates a bundle with the extension Dictaphone, which uses its microphone from its start. Returns the path.
  private static func makeDictaphone(_ host: RunningHost) throws -> JSONValue {
    let bundle = host.file("bundle")
    try runShell(
      """
      mkdir -p '\(bundle)/Extensions'
      cp -R '\(PackageDirectory.path)/Plugins/Dictaphone' '\(bundle)/Extensions/'
      cat >'\(bundle)/app.json' <<'END'
      {"id": "org.darkroom.sample", "name": "Sample", "usageDescriptions": {"microphone": "The tests listen."}}
      END
      """
    )
    return .string(bundle)
  }

  /// Installs a bundle, launches its extension, and returns the ID of the session.
  private static func launch(
    _ client: InterfaceClient,
    _ bundle: JSONValue,
    _ options: JSONValue
  ) throws -> JSONValue {
    let installation = try client.call("apps/install", ["bundle": bundle])
    let target = try #require(installation["app"]?["extensions"]?.elements?.first?["id"])
    let launch = try client.call("session/launch", ["extension": target, "options": options])
    return try #require(launch["session"])
  }

  @Test func `the sound is shared memory that the client of the session can read and not change`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    let options: JSONValue = ["microphone": "tone:8000x2", "watchdog": 0]
    let session = try Self.launch(client, try Self.makeDictaphone(host), options)
    let sound = try client.call("sound/open", ["session": session])
    #expect(sound["opened"] == true && sound["sampleRate"] == 8000 && sound["channels"] == 2)
    #expect(sound["blockFrames"] == 80 && sound["clockLead"] != nil)
    let file = try #require(client.descriptors.first)
    let size = Int(try #require(sound["bytes"]?.integer))
    #expect(client.descriptors.count == 1)
    #expect(try file.descriptor.status().size == Int64(size))
    #expect(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, 0) == MAP_FAILED)
    #expect(try MemoryFile.seals(file.descriptor).isSuperset(of: [.shrink, .grow, .futureWrite]))
    // The seals also refuse what the access mode of the descriptor would refuse, because the owner can open the file again.
    let opened = try FileSystem.open("/proc/self/fd/\(file.rawValue)", .readWrite)
    #expect(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, opened.rawValue, 0) == MAP_FAILED)
    #expect(throws: SystemCallError.self) { _ = try opened.write(([0] as [UInt8])[...]) }
    #expect(ftruncate(opened.rawValue, 0) != 0 && ftruncate(opened.rawValue, off_t(2 * size)) != 0)
    let mapping = try Mapping(file.descriptor, length: size, .read)
    #expect(Array(mapping.bytes[0..<4]) == Array("DKSR".utf8))
    var last: Int64 = 0
    for _ in 0..<3 {
      let next = try client.call("sound/next", ["session": session, "after": .integer(last)])
      let published = try #require(next["published"]?.integer)
      #expect(next["more"] == true && published > last)
      last = published
    }
    #expect(mapping.bytes[4096...].contains { $0 != 0 })
    let other = try InterfaceClient(host)
    #expect(other.refusalKind("sound/open", ["session": session]) == "notFound")
    #expect(other.refusalKind("sound/next", ["session": session]) == "notFound")
    _ = try client.call("session/dismiss", ["session": session])
    while try client.call("sound/next", ["session": session, "after": .integer(last)])["more"] == true {
      last += 1
    }
    // A session without a microphone has no memory.
    let silent = try Self.launch(client, .string(host.file("bundle")), ["watchdog": 0])
    #expect(try client.call("sound/open", ["session": silent]) == ["opened": false])
    #expect(try client.call("sound/next", ["session": silent]) == ["more": false])
    #expect(client.descriptors.count == 1)
  }

  @Test func `any client receives an image of the viewfinder as a file that it cannot change`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    let bundle = try host.makeBundle("Snapshot", program: "bin/Snapshot")
    let session = try Self.launch(client, .string(bundle), ["camera": "pattern:64x48@30", "watchdog": 0])
    _ = try client.event("presented")
    let other = try InterfaceClient(host)
    for (format, magic) in [("png", [0x89, 0x50, 0x4E, 0x47]), ("jpeg", [0xFF, 0xD8, 0xFF])]
      as [(String, [UInt8])]
    {
      let image = try other.call("viewfinder/image", ["session": session, "format": .string(format)])
      #expect(image["width"] == 64 && image["height"] == 48 && image["format"] == .string(format))
      let file = try #require(other.descriptors.last)
      let size = Int(try #require(image["bytes"]?.integer))
      #expect(try file.descriptor.status().size == Int64(size))
      let mapping = try Mapping(file.descriptor, length: size, .read)
      #expect(Array(mapping.bytes.prefix(magic.count)) == magic)
      #expect(throws: SystemCallError.self) { _ = try file.descriptor.write(magic[...]) }
    }
    #expect(other.descriptors.count == 2)
    let unknown: JSONValue = "00000000-0000-0000-0000-000000000000"
    #expect(other.refusalKind("viewfinder/image", ["session": unknown]) == "argument")
    _ = try client.call("session/dismiss", ["session": session])
    _ = try client.call("session/result", ["session": session])
    #expect(other.refusalKind("viewfinder/image", ["session": session]) == "argument")
  }

  @Test func `the passcode is replaced only with the current one, and is in no file`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    #expect(try client.call("passcode/get") == ["set": false])
    #expect(try client.call("passcode/clear") == ["result": "succeeded"])
    #expect(try client.call("passcode/set", ["passcode": "tulip-4711"]) == ["result": "succeeded"])
    #expect(try client.call("passcode/get") == ["set": true])
    let wrong: JSONValue = ["passcode": "daisy-4711", "current": "wrong-4711"]
    #expect(try client.call("passcode/set", wrong) == ["result": "failed"])
    let right: JSONValue = ["passcode": "daisy-4711", "current": "tulip-4711"]
    #expect(try client.call("passcode/set", right) == ["result": "succeeded"])
    try runShell("! grep -rqE '(tulip|daisy|wrong)-4711' '\(host.state)'")
    #expect(try client.call("passcode/clear", ["current": "daisy-4711"]) == ["result": "succeeded"])
    #expect(try client.call("passcode/get") == ["set": false])
    let short = #expect(throws: InterfaceClient.Refusal.self) {
      _ = try client.call("passcode/set", ["passcode": "abc"])
    }
    #expect(short?.code == -32602 && short?.message.contains("abc") == false)
  }

  @Test func `assets are selected, verified and deleted`() throws {
    let scratch = try ScratchDirectory()
    let host = try RunningHost(["--photo-library", "\(scratch.path)/library"])
    let client = try InterfaceClient(host)
    #expect(try client.call("photos/selection", ["app": Self.app]) == ["selected": []])
    var names: [JSONValue] = []
    for name in ["a.jpg", "b.jpg"] {
      let path = "\(scratch.path)/\(name)"
      try FileSystem.replaceContents(path, with: Array(name.utf8))
      let added = try client.call("photos/add", ["app": Self.app, "files": [.string(path)]])
      names.append(try #require(added["assets"]?.elements?.first?["id"]))
    }
    // An app may see what it has added.
    #expect(try client.call("photos/selection", ["app": Self.app]) == ["selected": .array(names)])
    let newest: JSONValue = .array([names[1]])
    _ = try client.call("photos/select", ["app": Self.app, "assets": newest])
    #expect(try client.call("photos/selection", ["app": Self.app]) == ["selected": newest])
    #expect(client.refusalKind("photos/select", ["app": Self.app, "assets": ["none"]]) == "argument")
    #expect(try client.call("photos/selection", ["app": Self.app]) == ["selected": newest])

    #expect(try client.call("photos/verify") == ["discrepancies": [], "count": 0])
    #expect(try client.call("photos/recover") == ["changes": 0])
    let assets = try #require(try client.call("photos/list")["assets"]?.elements)
    try FileSystem.unlink(try #require(assets[0]["path"]?.string))
    let verified = try client.call("photos/verify")
    #expect(verified["discrepancies"] == [["asset": assets[0], "missing": true]] && verified["count"] == 1)
    _ = try client.call("photos/delete", ["asset": assets[1]["id"] ?? .null])
    #expect(try client.call("photos/list")["assets"] == .array([assets[0]]))
    #expect(client.refusalKind("photos/delete", ["asset": assets[1]["id"] ?? .null]) == "argument")
  }

  @Test func `the access of an extension to a path is explained`() throws {
    let client = try InterfaceClient(try RunningHost())
    let read = try client.call("policy/access", ["policy": "capture", "path": "/usr/bin/env"])
    #expect(read["allowed"] == true && read["use"] == "read" && read["errno"] == nil)
    let write: JSONValue = ["policy": "capture", "path": "/usr/bin/env", "use": "write"]
    let written = try client.call("policy/access", write)
    #expect(written["allowed"] == false && written["errno"] != nil)
    #expect(written["sentence"]?.string?.hasPrefix("/usr/bin/env cannot be written") == true)
    #expect(client.refusalKind("policy/access", ["policy": "capture", "path": "usr"]) == "argument")
    #expect(client.refusalKind("policy/access", ["policy": "unknown", "path": "/usr"]) == "policy")
  }

  @Test func `frames of a camera are saved as an image and as a video`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    func capture(_ name: String, _ members: JSONValue = [:]) throws -> JSONValue {
      let fixed: JSONValue = ["camera": "pattern:64x48@30", "path": .string(host.file(name))]
      return try client.call("device/capture", .object((fixed.members ?? []) + (members.members ?? [])))
    }
    let image = try capture("a.png")
    #expect(image["width"] == 64 && image["height"] == 48 && image["frames"] == 5)
    #expect(image["path"]?.string == host.file("a.png"))
    let bytes = try #require(try FileSystem.contents(host.file("a.png"), limit: 1 << 20))
    #expect(image["bytes"] == .integer(Int64(bytes.count)) && bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let video = try capture("a.y4m", ["frames": 3])
    #expect(video["frames"] == 3 && video["frameRate"]?.double == 30)
    // The test pattern is not a camera device, and has no settings that stay.
    for (path, members) in [
      ("a.gif", [:]), ("a.png", ["settings": ["brightness": 10]]),
      ("a.png", ["settings": ["brightness": "a"]]), ("a.png", ["frames": 0]),
    ] as [(String, JSONValue)] {
      #expect(throws: InterfaceClient.Refusal.self, "\(path) \(members.text())") {
        _ = try capture(path, members)
      }
    }
    #expect(client.refusalKind("device/capture", ["camera": "pattern", "path": "a.png"]) == "argument")
    let missing: JSONValue = ["camera": "/dev/video987", "path": .string(host.file("a.png"))]
    #expect(client.refusalKind("device/capture", missing) == "camera")
    #expect(try FileSystem.contents(host.file("a.png"), limit: 1 << 20) == bytes)
  }

  @Test func `a capture of frames ends with its connection, and is the only one of the connection`() throws {
    let host = try RunningHost()
    let path = host.file("film.y4m")
    try FileSystem.replaceContents(path, with: Array("old".utf8))
    let observer = try InterfaceClient(host, greets: false)
    let server = try observer.call("host/hello", ["versions": [1]])["process"]?.integer ?? 0
    /// Returns whether the server waits for frames.
    func isCapturing() throws -> Bool {
      try FileSystem.names(in: "/proc/\(server)/task").contains { thread in
        let name = try? FileSystem.contents("/proc/\(server)/task/\(thread)/comm", limit: 64)
        return name == Array("host-work\n".utf8)
      }
    }
    // A video without a frame and without an end.
    let source = host.file("source.y4m")
    try runShell("mkfifo '\(source)'")
    let writer = try FileSystem.open(source, .readWrite)
    try writer.writeAll(Array("YUV4MPEG2 W64 H48 F30:1 C420jpeg\n".utf8))
    var client: InterfaceClient? = try InterfaceClient(host)
    for id in ["a", "b"] {
      try client?.send(
        """
        {"jsonrpc":"2.0","id":"\(id)","method":"device/capture",\
        "params":{"camera":"\(source)","path":"\(path)","frames":2}}

        """
      )
    }
    let refusal = try #require(try client?.receive())
    #expect(refusal["error"]?["data"]?["kind"] == "busy")
    #expect(try TestTimeout.waitUntil { try isCapturing() })
    client = nil
    #expect(try TestTimeout.waitUntil { try !isCapturing() })
    #expect(try FileSystem.contents(path, limit: 64) == Array("old".utf8))
    let image: JSONValue = ["camera": "pattern:64x48@30", "path": .string(host.file("a.png"))]
    #expect(try observer.call("device/capture", image)["frames"] == 5)
  }

  @Test func `the devices of the machine are listed`() throws {
    let client = try InterfaceClient(try RunningHost())
    for camera in try client.call("device/listCameras")["cameras"]?.elements ?? [] {
      #expect((camera["error"] == nil) == (camera["device"] != nil))
    }
    let found = try client.call("device/listMicrophones")["microphones"]?.elements ?? []
    #expect(found.allSatisfy { $0["microphone"]?.string?.hasPrefix("alsa:") == true })
  }
}
