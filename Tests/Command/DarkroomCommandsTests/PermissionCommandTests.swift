// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct PermissionCommandTests {
  let fixture: CommandFixture
  private let app = CommandFixture.app

  init() throws { fixture = try CommandFixture() }

  private func state(_ subject: String) throws -> JSONValue? {
    try fixture.run("permission", "get", app, "--json").json["permissions"]?[subject]?["state"]
  }

  @Test func `a permission is set, seen and reset`() throws {
    try #require(try fixture.run("install", fixture.bundle).code == 0)
    #expect(try state("camera") == "notDetermined")
    #expect(try fixture.run("permission", "set", app, "camera", "authorized").code == 0)
    #expect(try state("camera") == "authorized")
    #expect(try fixture.run("permission", "set", app, "camera", "denied").code == 0)
    #expect(try state("camera") == "denied")
    #expect(try fixture.run("permission", "reset", app, "camera").code == 0)
    #expect(try state("camera") == "notDetermined")
  }

  @Test func `what the app gives no reason for stays denied, and the reason is said`() throws {
    try #require(try fixture.run("install", fixture.bundle).code == 0)
    let set = try fixture.run("permission", "set", app, "microphone", "authorized", "--json")
    #expect(try set.json["permissions"]?["microphone"] == ["state": "denied", "because": "undescribed"])
  }

  @Test func `an extension that gives no reason is named when its app is allowed something`() throws {
    try fixture.install()
    let set = try fixture.run("permission", "set", app, "camera", "authorized")
    #expect(set.code == 0 && set.notes.contains("nothing of it is for \(app).capture: "), "\(set.notes)")
    #expect(try fixture.run("permission", "set", app, "camera", "denied").notes == "")
    try fixture.write(
      "Camera/Extensions/Capture/extension.json",
      #"{"id": "\#(app).capture", "name": "Capture", "executable": "bin/capture", "protocol": "none", "#
        + #""usageDescriptions": {"camera": "To see."}}"#
    )
    try fixture.install()
    #expect(try fixture.run("permission", "set", app, "camera", "authorized").notes == "")
  }

  @Test func `photos are limited to the assets that are named`() throws {
    let set = try fixture.run(
      "permission",
      "set",
      app,
      "photos",
      "limited",
      "--asset",
      "b",
      "--asset",
      "a",
      "--json"
    )
    #expect(try set.json["selectedAssets"] == ["a", "b"])
    #expect(try fixture.run("permission", "set", app, "camera", "limited").code == 65)
    #expect(try fixture.run("permission", "set", app, "photos", "denied", "--asset", "a").code == 65)
    #expect(try fixture.run("permission", "set", app, "photos", "restricted").code == 64)
    #expect(try fixture.run("permission", "set", app, "gyroscope", "denied").code == 64)
    #expect(try state("photos") == "limited")
  }

  @Test func `a damaged file is named with its mend, which works`() throws {
    try #require(try fixture.run("permission", "set", app, "camera", "authorized").code == 0)
    let file = "\(fixture.root)/apps/\(app)/permissions.json"
    try FileSystem.replaceContents(file, with: Array("{".utf8))
    let get = try fixture.run("permission", "get", app)
    #expect(get.code == 65)
    #expect(get.notes.contains("darkroom permission reset \(app)"))
    #expect(try fixture.run("permission", "set", app, "camera", "authorized").code == 65)
    #expect(try fixture.run("permission", "reset", app).code == 0)
    #expect(try state("camera") == "notDetermined")
  }
}
