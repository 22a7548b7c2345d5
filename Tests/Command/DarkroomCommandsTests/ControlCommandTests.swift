// SPDX-License-Identifier: Apache-2.0

import AppBundles
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite(.timeLimit(.minutes(20))) struct ControlCommandTests {
  let fixture: CommandFixture
  private let app = CommandFixture.app

  init() throws { fixture = try CommandFixture() }

  /// Installs the app with a control and a shell command that opens the app.
  private func install(_ open: String = "true", describing members: String = "") throws {
    let text = """
      { "id": "org.example.camera", "name": "Camera", "open": ["/bin/sh", "-c", "\(open)"],
        "controls": [{ "id": "shutter", "title": "Shoot", "extension": "org.example.camera.capture" }]\(members) }
      """
    try fixture.write("Camera/app.json", text)
    try #require(try fixture.run("install", fixture.bundle).code == 0)
  }

  @Test func `a control is listed and found by its short and its full name`() throws {
    try install()
    let list = try fixture.run("control", "list", "--json").json
    #expect(list["controls"]?.elements?.first?["name"] == "org.example.camera/shutter")
    for name in ["shutter", "org.example.camera/shutter"] {
      #expect(try fixture.run("control", "press", name, "--from", "elsewhere").code == 0)
    }
    let unknown = try fixture.run("control", "press", "shuter", "--from", "elsewhere")
    #expect(unknown.code == 66 && unknown.errorOutput.contains("org.example.camera/shutter"))
  }

  @Test func `a press elsewhere opens the app and delivers the app context once`() throws {
    try install("echo $DARKROOM_LAUNCH_REASON >$DARKROOM_APP_CONTAINER/reason")
    try #require(try fixture.run("context", "set", app, "{\"zoom\":2}").code == 0)
    let press = try fixture.run("control", "press", "shutter", "--from", "elsewhere", "--json")
    #expect(press.code == 0)
    let reason = try FileSystem.contents("\(fixture.root)/apps/\(app)/container/reason")
    #expect(reason == Array("control\n".utf8))
    let taken = try fixture.run("app", "activities", app, "--json").json
    #expect(taken["id"] == (try press.json["delivery"]))
    #expect(taken["control"] == "shutter" && taken["appContext"] == ["zoom": 2])
    let again = try fixture.run("app", "activities", app, "--json")
    #expect(again.code == 0 && again.output == "")
  }

  @Test func `does not prompt for the camera if the press opens no camera`() throws {
    let reason = #""usageDescriptions": { "camera": "To take pictures." }"#
    try fixture.write(
      "Camera/Extensions/Capture/extension.json",
      #"{ "id": "\#(app).capture", "name": "Capture", "executable": "bin/capture", "protocol": "1", \#(reason) }"#
    )
    try install(describing: ", \(reason)")
    try #require(try fixture.run("permission", "set", app, "camera", "ask").code == 0)
    func press(from place: String) throws -> CommandResult {
      try fixture.run("control", "press", "shutter", "--camera", "pattern", "--json", "--from", place)
    }
    let elsewhere = try press(from: "elsewhere")
    #expect(elsewhere.code == 0)
    #expect(try elsewhere.json["reason"] == "control")
    #expect(!elsewhere.errorOutput.contains("prompted"), "\(elsewhere.errorOutput)")
    // Without a user to prompt, the press opens the app, which can prompt.
    let locked = try press(from: "lockscreen")
    #expect(locked.code == 0)
    #expect(try locked.json["reason"] == "permission")
  }

  @Test func `app open delivers a valid activity and rejects an invalid one`() throws {
    try install()
    let wrong = try fixture.run("app", "open", app, "--activity", "{\"title\":\"x\"}")
    #expect(wrong.code == 65)
    try #require(
      try fixture.run("app", "open", app, "--activity", "{\"activityType\":\"org.example.edit\"}").code == 0
    )
    let taken = try fixture.run("app", "activities", app, "--wait", "1s", "--json").json
    #expect(taken["activity"]?["activityType"] == "org.example.edit")
  }

  @Test func `app open and uninstall report an app that is not installed in the same words`() throws {
    let error = CatalogError.appNotInstalled(id: app, nearest: nil)
    // The delivery creates the app's directory, so the uninstallation comes first.
    for words in [["uninstall", app], ["app", "open", app]] {
      let result = try CommandResult.run(["--root", fixture.root] + words)
      #expect(result.code == 66)
      #expect(result.errorOutput == "darkroom: \(error)\n")
    }
  }

  @Test func `a crash of the app at launch is reported and the delivery stays pending`() throws {
    try install("echo broken; exit 9")
    let press = try fixture.run("control", "press", "shutter", "--from", "elsewhere")
    #expect(press.code == 126)
    #expect(
      press.errorOutput.contains("exited with code 9") && press.errorOutput.contains("broken"),
      "\(press.errorOutput)"
    )
    #expect(try fixture.run("app", "activities", app, "--json").output.contains("shutter"))
  }

  @Test func `readiness lists every obstacle, including those of the app`() throws {
    let missing = try fixture.run("readiness", "org.example.camera.capture", "--json")
    #expect(missing.code == 69)
    func obstacles(_ value: JSONValue) -> [String: String] {
      let found = value["conditions"]?.elements ?? []
      let pairs = found.compactMap { condition in
        condition["obstacle"]?.string.map { (condition["name"]?.string ?? "", $0) }
      }
      return Dictionary(uniqueKeysWithValues: pairs)
    }
    #expect(obstacles(try missing.json) == ["installed": "notInstalled", "appOpenable": "cannotOpen"])
    try install()
    let ready = try fixture.run("readiness", "org.example.camera.capture", "--json")
    #expect(ready.code == 0)
    #expect(obstacles(try ready.json) == [:])
  }
}
