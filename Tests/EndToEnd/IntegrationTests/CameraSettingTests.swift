// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of camera settings by a sandboxed extension.
@Suite(.timeLimit(.minutes(20)), .waiting) struct CameraSettingTests {
  /// An extension that sets the camera, reads frames, and writes down each answer by name.
  private static let program = SettingExtension.program(
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
  private func prepare(_ place: Place) throws {
    try FileSystem.makeDirectories(place.file("App/Extensions/Capture"), mode: 0o755)
    let usage = #""usageDescriptions": {"camera": "To see."}"#
    try place.write("App/app.json", #"{"id": "\#(Self.app)", "name": "Setting", \#(usage)}"#)
    try place.write(
      "App/Extensions/Capture/extension.json",
      #"{"id": "\#(Self.app).capture", "name": "Capture", "executable": "set.py", "protocol": "1", \#(usage)}"#
    )
    try place.write("App/Extensions/Capture/set.py", Self.program, mode: 0o755)
    try place.install(place.file("App"))
    #expect(try place.darkroom("permission", ["set", Self.app, "camera", "authorized"]).code == 0)
  }

  @Test(arguments: Person.available)
  func `an extension sets its camera while it runs, which frames show, and no longer than it may`(
    person: Person
  ) throws {
    let place = try Place(person)
    try prepare(place)
    let session = try place.run(
      "capture",
      of: Self.app,
      script: "await ended within 100s\n",
      options: ["--camera", "pattern:64x48@30"]
    )
    let errors = session.command.errors
    #expect(session.command.code == 0, "\(errors)")
    let told = try place.json(Array(try session.text("told.json").utf8))
    func sentence(_ name: String) -> String {
      told[name]?["error"]?["message"]?.string ?? "\(told[name] ?? .null)"
    }
    func code(_ name: String) -> Int64? { told[name]?["error"]?["code"]?.integer }
    #expect(told["dark"] == 191 && told["bright"] == 251)
    #expect(told["set"]?["result"] == ["value": 60])
    let now = ["settings", "again"].map { told[$0]?["result"]?["settings"]?.elements?[0]["value"]?.integer }
    #expect(now == [0, 60])
    #expect(code("outside") == 4021 && sentence("outside") == "brightness goes from -100 to 100, not 101")
    #expect(code("unknown") == 4021 && sentence("unknown").contains("it has brightness"))
    #expect(
      told["many"]?.elements?.compactMap(\.string).allSatisfy { ["4013", "done"].contains($0) } == true
    )
    #expect(told["many"]?.elements?.contains("done") == true)
    for name in ["early", "late"] { #expect(code(name) == 4002, "\(name): \(sentence(name))") }
  }

  @Test func `nobody sets a camera that was taken away, and a simulated one is set like any other`() throws {
    let place = try Place(.available[0])
    try prepare(place)
    let script = try place.write(
      "revoke.txt",
      """
      given context "revoke"
      await file told.json within 100s
      revoke camera
      expect log "after it was taken away: 4002" within 100s
      expect outcome dismissed extension

      """
    )
    let played = try place.darkroom(
      "simulate",
      ["--camera", "pattern:64x48@30", "--script", script, "\(Self.app).capture"]
    )
    #expect(played.code == 0, "\(played.text)")
  }
}
