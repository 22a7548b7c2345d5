// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of cameras of a real PipeWire server, including lost and stalled ones.
@Suite(.timeLimit(.minutes(20)), .waiting) struct PipeWireTests {
  /// An extension that reports the number of its descriptors and of sockets among them.
  private static let descriptors = """
    #!/usr/bin/python3 -I
    import json, os, select, stat
    names = os.environ["LISTEN_FDNAMES"].split(":")
    place = {name: 3 + index for index, name in enumerate(names)}
    def say(**message):
        os.write(place["host-out"], (json.dumps({"jsonrpc": "2.0", **message}) + "\\n").encode())
    for line in os.fdopen(place["host-in"]):
        message = json.loads(line)
        if message.get("method") == "session/start":
            say(id=message["id"], result={"protocolVersion": 1})
            say(id=1, method="camera/start", params={"delivery": "latest"})
        elif message.get("id") == 1:
            select.select([place["frame-event"]], [], [])
            there = []
            for number in range(1024):
                try:
                    kind = "socket" if stat.S_ISSOCK(os.fstat(number).st_mode) else "file"
                    there.append(kind)
                except OSError:
                    pass
            told = {"descriptors": len(there) - len(names), "sockets": there.count("socket")}
            with open("/session/told.json", "w") as file:
                json.dump(told, file)
            say(id=2, method="session/dismiss", params={})
        elif message.get("method") == "session/willDismiss":
            break

    """

  @Test(arguments: TestUser.available)
  func `lists, shows and captures a PipeWire camera with the right colors`(user: TestUser) throws {
    let rig = try PipeWireRig(user)
    #expect(try rig.listedCameras() == [])
    let camera = try rig.startCamera("bars")
    let expected: JSONValue = [
      "path": "pipewire:bars", "name": "Bars", "driver": "pipewire", "bus": "bars",
      "device": "pipewire bars Bars",
    ]
    #expect(try rig.listedCameras() == [expected])
    let show = try rig.home.darkroom("camera", ["show", "pipewire", "--json"])
    let format = try rig.home.json(show.output)["formats"]?.elements?.first
    #expect(format?["format"] == "YU12" && format?["usable"] == true, "\(show.text) \(show.errors)")
    // Cameras of GStreamer have no controls.
    #expect(try rig.home.json(show.output)["controls"] == [])
    let size: JSONValue = ["width": 320, "height": 240, "frameRates": [[15, 1]]]
    #expect(format?["sizes"] == [size])
    let picture = rig.home.file("picture.png")
    let taken = try rig.home.darkroom(
      "camera",
      ["capture", "pipewire:bars:640x480", picture, "--frames", "2"]
    )
    #expect(taken.code == 0 && taken.text.contains("320x240, 15 frames"), "\(taken.text) \(taken.errors)")
    try rig.expectBars(picture)
    withExtendedLifetime(camera) {}
  }

  @Test(arguments: TestUser.available)
  func `delivers frames in another pixel format through the sandbox to a picture`(user: TestUser) throws {
    let rig = try PipeWireRig(user)
    let camera = try rig.startCamera("bars", format: "YUY2")
    try rig.home.install()
    let script = """
      await listening within 30s
      await frame within 30s
      press primary
      await file *.jpg within 30s
      dismiss

      """
    let options = ["--watchdog", "0s", "--camera", "pipewire"]
    let session = try rig.home.run("snapshot", script: script, options: options)
    #expect(session.command.code == 0, "\(session.command.errors)")
    let picture = try #require(session.files.first { $0.hasSuffix(".jpg") })
    try rig.expectBars("\(session.content)/\(picture)")
    withExtendedLifetime(camera) {}
  }

  @Test(arguments: TestUser.available)
  func `an inherited PipeWire connection delivers frames and is not passed to the extension`(user: TestUser)
    throws
  {
    let rig = try PipeWireRig(user)
    let camera = try rig.startCamera("bars")
    try rig.install(Self.descriptors)
    let record = rig.home.file("record.json")
    let arguments = [
      "run", "--root", rig.home.root, "--watchdog", "0s", "--record", record,
      "--camera", "pipewire:fd=7/bars",
    ]
    let result = try PipeWireRig.start(
      rig.home.file("pipewire-0"),
      rig.home,
      arguments + ["\(PipeWireRig.app).capture"]
    )
    .end()
    #expect(result.code == 0, "\(result.errors)")
    let id = try #require(try rig.home.json(FileSystem.contents(record) ?? [])["sessionID"]?.string)
    let reportPath = "\(rig.home.root)/apps/\(PipeWireRig.app)/container/SessionContent/\(id)/told.json"
    // Standard input, output and error, in addition to the named descriptors.
    #expect(try rig.home.json(FileSystem.contents(reportPath) ?? []) == ["descriptors": 3, "sockets": 0])
    withExtendedLifetime(camera) {}
  }

  @Test(arguments: TestUser.available, [true, false])
  func `notifies an extension of a lost camera or server without details of PipeWire`(
    user: TestUser,
    isCameraKilled: Bool
  ) throws {
    let rig = try PipeWireRig(user)
    let camera = try rig.startCamera("bars")
    let program = try #require(
      try FileSystem.contents("\(TestPrograms.package)/Tests/Rigs/camera_extension.py")
    )
    try rig.install(String(decoding: program, as: UTF8.self))
    let record = rig.home.file("record.json")
    let session = try rig.home.startDarkroom(
      "run",
      [
        "--watchdog", "0s", "--record", record, "--camera", "pipewire:bars", "\(PipeWireRig.app).capture",
      ]
    )
    // The extension writes the file after its first frame.
    try session.wait { try rig.home.find("flowing.json") != nil }
    kill(isCameraKilled ? camera.process : rig.server.process, SIGKILL)
    let result = try session.end()
    #expect(result.code == 0, "\(result.errors)")
    let file = try #require(try rig.home.find("news.json"))
    let messages = try rig.home.json(FileSystem.contents(file) ?? []).elements ?? []
    #expect(
      messages.first?["params"]?["reason"]?.string == (isCameraKilled ? "unplugged" : "failed"),
      "\(messages)"
    )
    #expect(messages.last?["error"]?["code"] == 4002)
    #expect(!"\(messages)".contains("ipe") && !"\(messages)".contains(rig.home.directory))
    let kept = "\(try rig.home.json(FileSystem.contents(record) ?? []))"
    let reason =
      isCameraKilled ? "the camera or its driver was removed" : "the connection to PipeWire was lost"
    #expect(kept.contains(reason), "\(kept)")
  }

  @Test func `missing and stalled cameras and servers fail quickly with an exit code and a fix`()
    throws
  {
    let home = try TestHome(.root)
    home.variables = ["XDG_RUNTIME_DIR=\(home.directory)"]
    let picture = home.file("picture.png")
    /// Returns the result of a capture.
    func capture(_ camera: String, _ kind: String = "file") throws -> Command.Result {
      try PipeWireRig.start(kind, home, ["camera", "capture", camera, picture]).end()
    }
    let wrong: [(String, String, Int32, String)] = [
      ("pipewire", "file", 66, "systemctl --user start pipewire"),
      ("pipewire:fd=7", "file", 66, "OpenPipeWireRemote"),
      ("pipewire:fd=999", "file", 66, "OpenPipeWireRemote"),
      ("pipewire:fd=7", "mute", 71, "did not respond for 3 seconds"),
      ("pipewire:fd=", "file", 64, "pipewire:fd=N"),
    ]
    for (camera, kind, code, fix) in wrong {
      let result = try capture(camera, kind)
      #expect(
        result.code == code && result.errors.contains(fix),
        "\(camera): \(result.code) \(result.errors)"
      )
    }
    // A regular file in place of a socket is not connected to.
    let list = try home.darkroom("camera", ["list", "--json"])
    #expect(list.code == 0 && list.errors.isEmpty)
    let rig = try PipeWireRig(.root)
    for (camera, fix) in [("pipewire", "no camera"), ("pipewire:nobody", "no camera 'nobody'")] {
      let result = try rig.home.darkroom("camera", ["capture", camera, picture])
      #expect(result.code == 66 && result.errors.contains(fix), "\(result.code) \(result.errors)")
    }
    kill(rig.server.process, SIGSTOP)
    let listed = try rig.listedCameras()
    #expect(listed.count == 1, "\(listed)")
    #expect(listed.first?["error"]?.string?.contains("did not respond") == true, "\(listed)")
    kill(rig.server.process, SIGCONT)
  }
}

extension TestHome {
  /// Returns the path of a file in the state root, or `nil` if it does not exist yet.
  func find(_ name: String) throws -> String? {
    var left = [root]
    while let directory = left.popLast() {
      for entry in (try? FileSystem.names(in: directory)) ?? [] {
        if entry == name { return "\(directory)/\(entry)" }
        left.append("\(directory)/\(entry)")
      }
    }
    return nil
  }
}
