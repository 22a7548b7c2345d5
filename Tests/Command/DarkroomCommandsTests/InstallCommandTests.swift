// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

@Suite struct InstallCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test func `installs, reinstalls and uninstalls an app`() throws {
    #expect(
      try fixture.run("install", fixture.bundle).output == "installed org.example.camera with 1 extension\n"
    )
    let again = try fixture.run("install", fixture.bundle)
    #expect(again.output == "installed again org.example.camera with 1 extension\n")
    #expect(try fixture.run("uninstall", CommandFixture.app).output == "uninstalled org.example.camera\n")
    #expect(try fixture.run("list", "--json").json["apps"] == [])
  }

  @Test func `install and uninstall report their results as JSON`() throws {
    let installed = try fixture.run("install", fixture.bundle, "--json")
    #expect(installed.code == 0)
    let document = try installed.json
    #expect(document["origin"] == "new")
    #expect(document["diagnostics"] == [])
    #expect(document["app"]?["id"] == "org.example.camera")
    #expect(try fixture.run("install", fixture.bundle, "--json").json["origin"] == "replaced")
    let removed = try fixture.run("--json", "uninstall", CommandFixture.app)
    #expect(try removed.json == ["app": "org.example.camera", "uninstalled": true])
  }

  @Test func `prints each manifest error on one line with position, key, reason and fix`() throws {
    try fixture.write(
      "Camera/app.json",
      "{\n  \"id\": \"org.example.camera\",\n  \"nam\": \"Camera\",\n  \"name\": 5\n}\n"
    )
    let result = try fixture.run("install", fixture.bundle)
    #expect(result.code == 65)
    #expect(result.output == "")
    let lines = result.errorOutput.split(separator: "\n")
    #expect(lines.contains("app.json:3:3: nam: unknown key; did you mean \"name\"?"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("app.json:4:11: name: ") && $0.contains("; ") }, "\(lines)")
    #expect(lines.last == "darkroom: \(fixture.bundle) was not installed: 2 errors")
    #expect(try fixture.run("list", "--json").json["apps"] == [])
  }

  @Test func `reports manifest errors as JSON with the same exit code`() throws {
    try fixture.write("Camera/app.json", "{ \"id\": \"org.example.camera\" }")
    for words in [["install", fixture.bundle, "--json"], ["install", "--check", fixture.bundle, "--json"]] {
      let result = try CommandResult.run(["--root", fixture.root] + words)
      #expect(result.code == 65)
      #expect(try result.json["valid"] == false)
      let fault = try #require(try result.json["diagnostics"]?.elements?.first)
      #expect(fault["file"] == "app.json")
      #expect(fault["key"] == "name")
      #expect(fault["severity"] == "error")
      #expect(fault["fix"]?.string?.isEmpty == false)
    }
  }

  @Test func `install --check installs nothing and creates no state root`() throws {
    let result = try fixture.run("install", "--check", fixture.bundle)
    #expect(result.code == 0)
    #expect(
      result.output == "\(fixture.bundle) can be installed: org.example.camera with 1 extension\n"
    )
    #expect(try fixture.run("install", "--check", "--json", fixture.bundle).json["valid"] == true)
    #expect(try FileSystem.status(fixture.root) == nil)
  }

  @Test func `distinguishes a path that is not a bundle from a bundle with errors`() throws {
    let missing = try fixture.run("install", "\(fixture.directory)/nothing")
    #expect(missing.code == 66)
    #expect(missing.errorOutput.contains("No such file or directory"))
    let file = try fixture.run("install", "/bin/true")
    #expect(file.code == 65)
    #expect(
      file.errorOutput
        == "darkroom: /bin/true is not a directory; give the directory that contains app.json\n"
    )
  }

  @Test func `reports the path of a state root that cannot be created`() throws {
    try fixture.write("root", "a file")
    let result = try fixture.run("install", fixture.bundle)
    #expect(result.code == 73)
    #expect(result.errorOutput.contains("\(fixture.root), or a path above it, is not a directory"))
  }

  @Test func `uninstall of an unknown app names the most similar app`() throws {
    try fixture.install()
    let result = try fixture.run("uninstall", "org.example.camra")
    #expect(result.code == 66)
    #expect(result.errorOutput.contains("did you mean 'org.example.camera'?"))
  }

  @Test func `pending content prevents uninstalling until it is discarded explicitly`() throws {
    try fixture.install()
    try fixture.migrateSession()
    let refused = try fixture.run("uninstall", CommandFixture.app)
    #expect(refused.code == 73)
    #expect(refused.errorOutput.contains("--discard-content"))
    #expect(try fixture.run("list", "--json").json["apps"]?.elements?.count == 1)
    #expect(try fixture.run("uninstall", CommandFixture.app, "--discard-content").code == 0)
    #expect(try fixture.run("list", "--json").json["apps"] == [])
  }
}
