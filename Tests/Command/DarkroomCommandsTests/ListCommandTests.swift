// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@Suite struct ListCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test func `list aligns apps and extensions in columns`() throws {
    try fixture.install()
    let lines = try fixture.run("list").lines
    try #require(lines.count == 3)
    let head = lines[0].split(separator: " ").map(String.init)
    #expect(
      head == ["APP", "AND", "EXTENSIONS", "NAME", "POLICY", "PROTOCOL", "DIGEST", "INSTALLED", "(UTC)"]
    )
    let words = lines[2].split(separator: " ").map(String.init)
    #expect(words.prefix(4) == ["org.example.camera.capture", "Capture", "base", "none"])
    try expectColumn(lines, "NAME", ["Camera", "Capture"])
    #expect(words.last?.count == 12)
    #expect(lines[1].suffix(19).wholeMatch(of: /20\d\d-\d\d-\d\d \d\d:\d\d:\d\d/) != nil, "\(lines[1])")
  }

  private func expectColumn(_ lines: [String], _ title: String, _ cells: [String]) throws {
    let head = Array(lines[0])
    let column = try #require(head.indices.first { String(head[$0...]).hasPrefix(title) })
    for (line, cell) in zip(lines.dropFirst(), cells) {
      #expect(String(Array(line)[column...]).hasPrefix(cell), "\(line)")
    }
  }

  @Test func `list --json contains full digests`() throws {
    try fixture.install()
    let app = try #require(try fixture.run("list", "--json").json["apps"]?.elements?.first)
    #expect(app["name"] == "Camera")
    #expect(app["installedAt"]?.string?.hasSuffix("Z") == true)
    let found = try #require(app["extensions"]?.elements?.first)
    #expect(found["id"] == "org.example.camera.capture")
    #expect(found["policy"] == "base")
    let path = try #require(found["executable"]?.string)
    let digest = try #require(found["executableDigest"]?.string)
    try runShell("test \"$(sha256sum < \(path) | cut -d' ' -f1)\" = \(digest.dropFirst("sha256:".count))")
  }

  @Test func `list is empty if the state root does not exist, and creates nothing`() throws {
    let result = try fixture.run("list")
    #expect(result.code == 0)
    #expect(result.output == "")
    #expect(result.errorOutput.contains("no app is installed in \(fixture.root)"))
    #expect(try fixture.run("list", "--json").json == ["apps": [], "damaged": []])
    #expect(try FileSystem.status(fixture.root) == nil)
  }

  @Test func `a damaged app is reported and does not hide other apps`() throws {
    try fixture.install()
    try fixture.write(
      "Camera/app.json",
      "{ \"id\": \"org.example.other\", \"name\": \"Other\" }"
    )
    try FileSystem.removeTree("\(fixture.bundle)/Extensions")
    try fixture.install()
    try fixture.write("root/apps/org.example.other/installation.json", "{")
    let result = try fixture.run("list")
    #expect(result.code == 73)
    #expect(result.output.contains("org.example.camera.capture"))
    #expect(result.errorOutput.contains("the installation of org.example.other is damaged"))
    let document = try fixture.run("list", "--json").json
    #expect(document["apps"]?.elements?.count == 1)
    #expect(document["damaged"]?.elements?.count == 1)
  }

  @Test func `app names cannot inject terminal control characters`() throws {
    try fixture.write(
      "Camera/app.json",
      "{ \"id\": \"org.example.camera\", \"name\": \"\\u202eCam\", \"usageDescriptions\": {} }"
    )
    try fixture.install()
    let output = try fixture.run("list").output
    #expect(output.contains("\\u{202E}Cam"), "\(output)")
    #expect(!output.contains("\u{202E}"))
  }

  @Test func `rejects a state root with an unknown layout version`() throws {
    _ = try fixture.store()
    try fixture.write("root/version", "7\n")
    for words in [["list"], ["ps"], ["content", "list", CommandFixture.app]] {
      let result = try CommandResult.run(["--root", fixture.root] + words)
      #expect(result.code == 73)
      #expect(result.errorOutput.contains("this version of Darkroom supports only layout 1"))
    }
  }
}
