// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of camera settings by a sandboxed extension.
@Suite(.timeLimit(.minutes(20)), .waiting) struct CameraSettingTests {
  /// An extension that sets the camera, reads frames, and writes down each answer by name.
  private static let program = CameraSettingsExtension.program(
    #"""
    start = json.loads(next(lines))
    say(id=start["id"], result={"protocolVersion": 1})
    ask("early", "camera/set", name="brightness", value=60)
    ask("start", "camera/start", delivery="latest")
    told["dark"] = await_luma(191)
    ask("settings", "camera/settings")
    ask("set", "camera/set", name="brightness", value=60)
    told["bright"] = await_luma(251)
    ask("again", "camera/settings")
    ask("outside", "camera/set", name="brightness", value=101)
    ask("unknown", "camera/set", name="privacy", value=0)
    many = list(range(1000, 1200))
    for name in many: say(id=name, method="camera/set", params={"name": "brightness", "value": name % 100})
    answers = answer(*many)
    told["many"] = sorted({str(reply.get("error", {}).get("code", "done")) for reply in answers})
    ask("stop", "camera/stop")
    ask("late", "camera/set", name="brightness", value=1)
    ask("start", "camera/start", delivery="latest")
    ask("last", "camera/set", name="brightness", value=-60)
    await_luma(131)
    leave()
    if start["params"]["appContext"] == "revoke":
        while json.loads(next(lines)).get("method") != "permission/changed": pass
        ask("after", "camera/set", name="brightness", value=3)
        code = told["after"]["error"]["code"]
        say(method="log", params={"level": "info", "message": f"after it was taken away: {code}"})
    say(id="end", method="session/dismiss", params={})
    """#
  )

  private static let app = "org.example.setting"

  /// Installs the extension with permission to use the camera.
  private func prepare(_ home: TestHome) throws {
    try FileSystem.makeDirectories(home.file("App/Extensions/Capture"), mode: 0o755)
    let usage = #""usageDescriptions": {"camera": "To see."}"#
    try home.write("App/app.json", #"{"id": "\#(Self.app)", "name": "Setting", \#(usage)}"#)
    try home.write(
      "App/Extensions/Capture/extension.json",
      #"{"id": "\#(Self.app).capture", "name": "Capture", "executable": "set.py", "protocol": "1", \#(usage)}"#
    )
    try home.write("App/Extensions/Capture/set.py", Self.program, mode: 0o755)
    try home.install(home.file("App"))
    #expect(try home.darkroom("permission", ["set", Self.app, "camera", "authorized"]).code == 0)
  }

  @Test(arguments: TestUser.available)
  func `camera settings change the frames until the camera is stopped, and invalid ones are refused`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    try prepare(home)
    let session = try home.run(
      "capture",
      of: Self.app,
      script: "await ended within 100s\n",
      options: ["--camera", "pattern:64x48@30"]
    )
    let errors = session.command.errors
    #expect(session.command.code == 0, "\(errors)")
    let answers = try home.json(Array(try session.text("told.json").utf8))
    func sentence(_ name: String) -> String {
      answers[name]?["error"]?["message"]?.string ?? "\(answers[name] ?? .null)"
    }
    func code(_ name: String) -> Int64? { answers[name]?["error"]?["code"]?.integer }
    #expect(answers["dark"] == 191 && answers["bright"] == 251)
    #expect(answers["set"]?["result"] == ["value": 60])
    let now = ["settings", "again"].map {
      answers[$0]?["result"]?["settings"]?.elements?[0]["value"]?.integer
    }
    #expect(now == [0, 60])
    #expect(code("outside") == 4021 && sentence("outside") == "brightness: 101 is out of range, -100 to 100")
    #expect(code("unknown") == 4021 && sentence("unknown").contains("its settings are brightness"))
    #expect(
      answers["many"]?.elements?.compactMap(\.string).allSatisfy { ["4013", "done"].contains($0) } == true
    )
    #expect(answers["many"]?.elements?.contains("done") == true)
    for name in ["early", "late"] { #expect(code(name) == 4002, "\(name): \(sentence(name))") }
  }

  @Test func `refuses settings of a revoked camera, including a simulated camera`() throws {
    let home = try TestHome(.available[0])
    try prepare(home)
    let script = try home.write(
      "revoke.txt",
      """
      given context "revoke"
      await file told.json within 100s
      revoke camera
      expect log "after it was taken away: 4002" within 100s
      expect outcome dismissed extension

      """
    )
    let played = try home.darkroom(
      "simulate",
      ["--camera", "pattern:64x48@30", "--script", script, "\(Self.app).capture"]
    )
    #expect(played.code == 0, "\(played.text)")
  }
}
