// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of controls, the session log, storage, photos and shared files over the socket of `darkroom-host`.
@Suite(.timeLimit(.minutes(20))) struct InterfaceRecordsTests {
  private static let app: JSONValue = "org.darkroom.sample"
  /// A control of the extension FrameLogger, and a command that opens the app.
  private static let members = """
    , "controls": [{"id": "shutter", "title": "Shoot", "extension": "org.darkroom.sample.framelogger"}],
    "open": ["true"]
    """

  @Test func `a control launches a session on the lock screen, and opens the app elsewhere`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    _ = try client.call("apps/install", ["bundle": .string(try host.makeBundle(members: Self.members))])
    _ = try client.call(
      "permissions/set",
      ["app": Self.app, "resource": "camera", "decision": ["decision": "authorized"]]
    )
    func press(_ options: JSONValue) throws -> JSONValue {
      try client.call("control/press", ["app": Self.app, "control": "shutter", "options": options])
    }
    let missing = #expect(throws: InterfaceClient.Refusal.self) { _ = try press(["place": "lockScreen"]) }
    #expect(missing?.data?["kind"] == "refused" && missing?.data?["refusal"] == "cameraMissing")
    let opened = try press(["camera": "pattern", "place": "elsewhere"])
    #expect(opened["effect"] == "applicationOpened" && opened["reason"] == "control")
    let options: JSONValue = ["camera": "pattern:64x48@30", "watchdog": 0, "place": "lockScreen"]
    let pressed = try press(options)
    let session = try #require(pressed["session"])
    #expect(pressed["effect"] == "session")
    _ = try client.event("acceptsPresses", accepts: true)
    let active = try client.call("host/sessions")
    #expect(active["sessions"]?.elements?.first?["session"] == session)
    let readiness = try client.call("control/readiness", ["extension": "org.darkroom.sample.framelogger"])
    let occupied = readiness["checks"]?.elements?.first { $0["condition"] == "foregroundFree" }
    #expect(readiness["ready"] == false && occupied?["refusal"] == "foregroundOccupied")
    _ = try client.call("session/dismiss", ["session": session])
    let running = try client.call("log/deviceUses", ["app": Self.app, "resource": "camera", "limit": 1])
    #expect(running["uses"]?.elements?.first?["session"] == session)
    _ = try client.call("session/result", ["session": session])
    #expect(try client.call("host/sessions")["sessions"] == [])
    let use = try #require(try client.call("log/deviceUses")["uses"]?.elements?.first)
    #expect(use["resource"] == "camera" && use["session"] == session && use["running"] == false)
    #expect(use["milliseconds"] != nil && use["device"]?.string?.isEmpty == false)
    #expect(try client.call("log/deviceUses", ["resource": "microphone"])["uses"] == [])
  }

  @Test func `an app is opened with and without a user activity`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    let members = #", "open": ["/bin/sh", "-c", "cp /dev/null '\#(host.file("opened"))'"]"#
    _ = try client.call("apps/install", ["bundle": .string(try host.makeBundle(members: members))])
    let first = try client.call("apps/open", ["app": Self.app])["delivery"]?.string
    #expect(TestTimeout.waitUntil { (try? FileSystem.contents(host.file("opened"), limit: 8)) != nil })
    let activity: JSONValue = ["app": Self.app, "activity": #"{"activityType": "org.example.edit"}"#]
    let second = try client.call("apps/open", activity)["delivery"]?.string
    #expect(first?.utf8.count == 36 && second?.utf8.count == 36 && first != second)
    for wrong in ["text", "[]", "{}", #"{"activityType": 1}"#] {
      #expect(client.refusalKind("apps/open", ["app": Self.app, "activity": .string(wrong)]) == "argument")
    }
    #expect(client.refusalKind("apps/open", ["app": "org.example.none"]) == "notInstalled")
  }

  @Test func `a key is bound to a control, and unbound`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    _ = try client.call("apps/install", ["bundle": .string(try host.makeBundle(members: Self.members))])
    #expect(try client.call("control/bindings") == ["bindings": []])
    func bind(_ key: JSONValue, _ control: JSONValue = "shutter") throws -> JSONValue {
      try client.call("control/bind", ["key": key, "app": Self.app, "control": control])
    }
    let binding: JSONValue = ["key": "KEY_POWER:double", "app": Self.app, "control": "shutter"]
    #expect(try bind("KEY_POWER:double") == binding)
    #expect(try client.call("control/bindings") == ["bindings": [binding]])
    for (key, control) in [("KEY_POWER", "shutter"), ("KEY_NONE", "shutter"), ("KEY_CAMERA", "none")] {
      let refusal = #expect(throws: InterfaceClient.Refusal.self) {
        _ = try bind(.string(key), .string(control))
      }
      #expect(refusal?.data?["kind"] == "argument")
    }
    #expect(try client.call("control/unbind", ["key": "KEY_POWER"]) == binding)
    #expect(try client.call("control/bindings") == ["bindings": []])
    let unbound = #expect(throws: InterfaceClient.Refusal.self) {
      _ = try client.call("control/unbind", ["key": "KEY_POWER"])
    }
    #expect(unbound?.data?["kind"] == "argument")
  }

  @Test func `the log, the storage limits and the usage describe the sessions`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    #expect(try client.call("log/head") == [:])
    let launch = try client.call(
      "session/launchProgram",
      ["app": Self.app, "program": "/bin/sh", "arguments": ["-c", "echo text >/session/note"]]
    )
    let session = try #require(launch["session"])
    _ = try client.call("session/result", ["session": session])
    let listing = try client.call("log/list", ["outcomes": ["completed"], "since": 0, "limit": 5])
    #expect(listing["entries"]?.elements?.first?["session"] == session)
    #expect(try client.call("log/list", ["outcomes": ["violated"]])["entries"] == [])
    let record = try client.call("log/record", ["session": session])["record"]?.string
    #expect(record?.contains(session.string ?? "?") == true)
    let verified = try client.call("log/verify")
    #expect(verified["valid"] == true && verified["entries"] == 1)
    let head = try client.call("log/head")
    #expect(head["head"] != nil && head["head"] == verified["head"])
    #expect(try client.call("log/verify", head)["headComparison"] == "found")
    _ = try client.call("storage/setLimits", ["limits": ["sessions": 1], "app": Self.app])
    #expect(try client.call("storage/limits", ["app": Self.app]) == ["sessions": 1])
    _ = try client.call("storage/setLimits", ["limits": ["files": 9]])
    #expect(try client.call("storage/limits") == ["files": 9])
    let usage = try client.call("storage/usage", ["app": Self.app])
    #expect(usage["bytes"] == 5 && usage["sessions"] == 1 && usage["refusal"] != nil)
    #expect(try client.call("host/emptyTrash")["deleted"]?.integer != nil)
  }

  @Test func `files are added to the photo library, and shared with extensions`() throws {
    let scratch = try ScratchDirectory()
    let host = try RunningHost(["--photo-library", "\(scratch.path)/library"])
    let client = try InterfaceClient(host)
    try FileSystem.replaceContents("\(scratch.path)/a.jpg", with: Array("picture".utf8))
    let added = try client.call("photos/add", ["app": Self.app, "files": [.string("\(scratch.path)/a.jpg")]])
    let asset = try #require(added["assets"]?.elements?.first)
    #expect(try client.call("photos/list", ["app": Self.app, "limit": 1])["assets"] == [asset])
    try FileSystem.makeDirectories("\(scratch.path)/copies")
    let target: JSONValue = ["asset": asset["id"] ?? "", "directory": .string("\(scratch.path)/copies")]
    #expect(try client.call("photos/export", target)["path"]?.string?.hasPrefix(scratch.path) == true)
    _ = try client.call("apps/install", ["bundle": .string(try host.makeBundle())])
    try FileSystem.makeDirectories("\(scratch.path)/luts")
    try FileSystem.replaceContents("\(scratch.path)/luts/warm.cube", with: Array("lut".utf8))
    let set = try client.call(
      "assets/publish",
      ["app": Self.app, "directory": .string("\(scratch.path)/luts")]
    )
    #expect(set["files"] == 1 && set["current"] == true)
    #expect(try client.call("assets/list", ["app": Self.app])["sets"]?.elements?.count == 1)
    #expect(try client.call("assets/clear", ["app": Self.app])["cleared"] == true)
    let relative = #expect(throws: InterfaceClient.Refusal.self) {
      _ = try client.call("photos/add", ["app": Self.app, "files": ["a.jpg"]])
    }
    #expect(relative?.data?["kind"] == "argument")
  }
}
