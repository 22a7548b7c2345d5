// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of settings of a PipeWire camera by a sandboxed extension.
@Suite(.timeLimit(.minutes(20)), .waiting) struct PipeWireSettingTests {
  /// An extension that sets all camera controls, reads frames, and waits for its dismissal.
  private static let program = CameraSettingsExtension.program(
    #"""
    start = json.loads(next(lines))
    say(id=start["id"], result={"protocolVersion": 1})
    ask("start", "camera/start", delivery="latest")
    # The camera's 130 and 180, which have no blacker than black.
    told["dark"] = await_luma(133)
    ask("settings", "camera/settings")
    ask("brightness", "camera/set", name="brightness", value=60)
    told["bright"] = await_luma(191)
    ask("contrast", "camera/set", name="contrast", value=150)
    ask("gain", "camera/set", name="gain", value=51)
    ask("early", "camera/set", name="focus", value=45)
    ask("automatic", "camera/set", name="automaticFocus", value=0)
    ask("focus", "camera/set", name="focus", value=45)
    ask("step", "camera/set", name="focus", value=46)
    ask("lamp", "camera/set", name="led1-mode", value=1)
    ask("again", "camera/settings")
    leave()
    while json.loads(next(lines)).get("method") != "session/willDismiss": pass
    """#
  )

  /// The values of the camera controls before a session.
  private static let valuesBefore: [String: Int64] = [
    "brightness": 10, "contrast": 100, "gain": 0, "focus-absolute": 40, "focus-automatic-continuous": 1,
    "led1-mode": 0,
  ]
  /// The values that the extension sets.
  private static let valuesDuring: [String: Int64] = [
    "brightness": 60, "contrast": 150, "gain": 48, "focus-absolute": 45, "focus-automatic-continuous": 0,
    "led1-mode": 0,
  ]

  /// Starts a server with a camera whose brightness the user has changed.
  private func prepare(_ user: TestUser) throws -> (PipeWireRig, camera: Command) {
    let rig = try PipeWireRig(user)
    let camera = try rig.startAdjustableCamera("made")
    let picture = rig.home.file("picture.png")
    let arguments = ["capture", "pipewire:made", picture, "--set", "brightness=10"]
    let taken = try rig.home.darkroom("camera", arguments)
    #expect(taken.code == 0, "\(taken.errors)")
    try rig.install(Self.program)
    #expect(try rig.controls("made") == Self.valuesBefore)
    return (rig, camera)
  }

  @Test(arguments: TestUser.available)
  func `settings of a PipeWire camera change the frames and are restored at the end`(user: TestUser)
    throws
  {
    let (rig, camera) = try prepare(user)
    let session = try rig.home.run(
      "capture",
      of: PipeWireRig.app,
      script: "await file told.json within 100s\ndismiss\n",
      options: ["--camera", "pipewire", "--watchdog", "0s"]
    )
    #expect(session.command.code == 0, "\(session.command.errors)")
    let answers = try rig.home.json(Array(try session.text("told.json").utf8))
    let settings = answers["settings"]?["result"]?["settings"]?.elements ?? []
    let names = ["focus", "automaticFocus", "gain", "brightness", "contrast"]
    #expect(settings.compactMap { $0["name"]?.string } == names)
    #expect(
      settings.first
        == [
          "name": "focus", "minimum": 0, "maximum": 250, "step": 5, "default": 40, "value": 40,
          "adjustable": false,
        ]
    )
    #expect(settings.last?["maximum"] == 200 && settings.last?["value"] == 100)
    let values: [String: JSONValue] = [
      "brightness": 60, "contrast": 150, "gain": 48, "automatic": 0, "focus": 45,
    ]
    for (name, value) in values {
      #expect(answers[name]?["result"] == ["value": value], "\(name): \(answers[name] ?? .null)")
    }
    for name in ["early", "step", "lamp"] {
      #expect(answers[name]?["error"]?["code"] == 4021, "\(name): \(answers[name] ?? .null)")
    }
    let again = answers["again"]?["result"]?["settings"]?.elements ?? []
    #expect(again.map { $0["value"] } == [45, 0, 48, 60, 150])
    #expect(again.first?["adjustable"] == true)
    #expect(try rig.controls("made") == Self.valuesBefore)
    withExtendedLifetime(camera) {}
  }

  @Test(arguments: TestUser.available)
  func `recovery restores a PipeWire camera after its host was killed`(user: TestUser)
    throws
  {
    let (rig, camera) = try prepare(user)
    let arguments = ["run", "--root", rig.home.root, "--watchdog", "0s", "--camera", "pipewire:fd=7"]
    let socket = rig.home.file("pipewire-0")
    let session = try PipeWireRig.start(socket, rig.home, arguments + ["\(PipeWireRig.app).capture"])
    try session.wait { try rig.home.find("told.json") != nil }
    #expect(try rig.controls("made") == Self.valuesDuring)
    kill(session.process, SIGKILL)
    _ = try session.end()
    let recovered = try rig.home.darkroom("recover", [])
    #expect(recovered.code == 0 && recovered.errors.isEmpty, "\(recovered.errors)")
    #expect(try rig.controls("made") == Self.valuesBefore)
    withExtendedLifetime(camera) {}
  }

  @Test func `recovery skips a removed camera, and a stalled camera does not block`() throws {
    let (rig, camera) = try prepare(TestUser.available[0])
    let session = try rig.home.startDarkroom(
      "run",
      ["--watchdog", "0s", "--camera", "pipewire:made", "\(PipeWireRig.app).capture"]
    )
    try session.wait { try rig.home.find("told.json") != nil }
    kill(session.process, SIGKILL)
    _ = try session.end()
    kill(camera.process, SIGSTOP)
    // The server caches the values, and the stopped camera does not update them.
    let start = MonotonicClock.now
    _ = try rig.controls("made")
    #expect(MonotonicClock.now - start < 30_000_000_000)
    kill(camera.process, SIGKILL)
    try session.wait { try rig.listedCameras().isEmpty }
    let recovered = try rig.home.darkroom("recover", [])
    #expect(recovered.code == 0 && recovered.errors.isEmpty, "\(recovered.errors)")
  }
}
