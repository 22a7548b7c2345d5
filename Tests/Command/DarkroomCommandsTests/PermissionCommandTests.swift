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

  @Test func `sets, gets and resets a permission`() throws {
    try #require(try fixture.run("install", fixture.bundle).code == 0)
    #expect(try state("camera") == "notDetermined")
    #expect(try fixture.run("permission", "set", app, "camera", "authorized").code == 0)
    #expect(try state("camera") == "authorized")
    #expect(try fixture.run("permission", "set", app, "camera", "denied").code == 0)
    #expect(try state("camera") == "denied")
    #expect(try fixture.run("permission", "reset", app, "camera").code == 0)
    #expect(try state("camera") == "notDetermined")
  }

  @Test func `a permission without a usage description stays denied with the reason missingUsageDescription`()
    throws
  {
    try #require(try fixture.run("install", fixture.bundle).code == 0)
    let set = try fixture.run("permission", "set", app, "microphone", "authorized", "--json")
    #expect(
      try set.json["permissions"]?["microphone"] == ["state": "denied", "reason": "missingUsageDescription"]
    )
  }

  @Test func `warns about an extension without a usage description if its app is authorized`() throws {
    try fixture.install()
    let set = try fixture.run("permission", "set", app, "camera", "authorized")
    #expect(
      set.code == 0 && set.errorOutput.contains("the permission has no effect for \(app).capture; "),
      "\(set.errorOutput)"
    )
    #expect(try fixture.run("permission", "set", app, "camera", "denied").errorOutput == "")
    try fixture.write(
      "Camera/Extensions/Capture/extension.json",
      #"{"id": "\#(app).capture", "name": "Capture", "executable": "bin/capture", "protocol": "none", "#
        + #""usageDescriptions": {"camera": "To see."}}"#
    )
    try fixture.install()
    #expect(try fixture.run("permission", "set", app, "camera", "authorized").errorOutput == "")
  }

  @Test func `limits photos to the selected assets`() throws {
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

  @Test func `a damaged permissions file is reported with a fix that works`() throws {
    try #require(try fixture.run("permission", "set", app, "camera", "authorized").code == 0)
    let file = "\(fixture.root)/apps/\(app)/permissions.json"
    try FileSystem.replaceContents(file, with: Array("{".utf8))
    let get = try fixture.run("permission", "get", app)
    #expect(get.code == 65)
    #expect(get.errorOutput.contains("darkroom permission reset \(app)"))
    #expect(try fixture.run("permission", "set", app, "camera", "authorized").code == 65)
    #expect(try fixture.run("permission", "reset", app).code == 0)
    #expect(try state("camera") == "notDetermined")
  }
}
