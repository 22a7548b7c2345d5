// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

/// `darkroom photos` for users and apps.
@Suite struct PhotosCommandTests {
  let fixture: CommandFixture
  private let app = CommandFixture.app
  private var library: String { "\(fixture.directory)/library" }

  init() throws { fixture = try CommandFixture() }

  private func photos(_ words: String...) throws -> CommandResult {
    try CommandResult.run(["--root", fixture.root, "photos"] + words + ["--library", library], input: "")
  }

  /// Imports a file with the given text and returns the asset as JSON.
  private func importFile(_ name: String, _ text: String = "light") throws -> JSONValue {
    try fixture.write(name, text)
    let result = try photos("import", app, "\(fixture.directory)/\(name)", "--json").json
    return try #require(result["imported"]?.elements?.first)
  }

  @Test func `imports, lists, shows, exports and deletes a photo`() throws {
    let asset = try importFile("a.jpg")
    let id = try #require(asset["id"]?.string)
    let path = try #require(asset["path"]?.string)
    #expect(path.hasPrefix("\(library)/2"))
    #expect(try FileSystem.contents(path) == Array("light".utf8))
    #expect(try photos("list", "--json").json == ["assets": [asset]])
    #expect(try photos("list", "--app", "org.example.other", "--json").json == ["assets": []])
    #expect(try photos("show", id).output == "\(path)\n")
    let target = "\(fixture.directory)/out"
    try FileSystem.makeDirectory(target)
    #expect(try photos("export", id, "--to", target).output == "\(target)/a.jpg\n")
    #expect(try FileSystem.contents("\(target)/a.jpg") == Array("light".utf8))
    #expect(try photos("export", id, "--to", target).code == 74)
    #expect(try photos("delete", id).output == "removed \(id): a.jpg\n")
    #expect(try FileSystem.status(path) == nil)
    #expect(try photos("show", id).code == 66)
    #expect(try FileSystem.contents("\(fixture.directory)/a.jpg") == Array("light".utf8))
  }

  @Test func `distinguishes an empty photo library from a filter without matches`()
    throws
  {
    let empty =
      "the photo library in \(library) is empty; add files with 'darkroom photos import APP FILE'\n"
    // Tests the library before its creation and after the deletion of all assets.
    for _ in 1...2 {
      let list = try photos("list")
      #expect(list.code == 0 && list.output == "" && list.errorOutput == empty)
      #expect(try photos("list", "--app", app).errorOutput == empty)
      let data = try photos("list", "--json")
      #expect(try data.code == 0 && data.json == ["assets": []] && data.errorOutput == "")
      let id = try #require(try importFile("a.jpg")["id"]?.string)
      let other = try photos("list", "--app", "org.example.other", "--session", "s")
      #expect(
        other.errorOutput == "no asset in the photo library was added by org.example.other in the session s; "
          + "'darkroom photos list' lists all assets with their apps\n"
      )
      #expect(other.code == 0)
      #expect(try photos("list").errorOutput == "")
      try #require(try photos("delete", id).code == 0)
    }
  }

  @Test func `read-only photo commands create no library`() throws {
    for command in ["list", "verify", "recover"] { #expect(try photos(command, "--json").code == 0) }
    #expect(try FileSystem.status(library) == nil)
  }

  @Test func `one failed import does not prevent the others`() throws {
    try fixture.write("a.jpg", "light")
    let result = try photos("import", app, "/etc", "\(fixture.directory)/a.jpg", "--json")
    #expect(result.code == 65)
    #expect(try result.json["imported"]?.elements?.count == 1)
    #expect(try result.json["failed"]?.elements?.count == 1)
  }

  @Test func `verify distinguishes missing from changed photos`() throws {
    let first = try #require(try importFile("a.jpg")["path"]?.string)
    let second = try #require(try importFile("b.jpg")["path"]?.string)
    #expect(try photos("verify", "--json").json == ["checked": 2, "invalid": []])
    try FileSystem.replaceContents(first, with: Array("edited".utf8))
    #expect(try photos("verify").code == 0)
    try FileSystem.unlink(second)
    let result = try photos("verify", "--json")
    #expect(result.code == 66)
    let reasons = try #require(try result.json["invalid"]?.elements).compactMap { $0["reason"]?.string }
    #expect(Set(reasons) == ["changed", "missing"])
  }

  @Test func `select adds, removes and replaces selected photos`() throws {
    let own = try #require(try importFile("a.jpg")["id"]?.string)
    let other = "org.example.other"
    #expect(
      try photos("select", other, own, "--json").json == ["app": .string(other), "selected": [.string(own)]]
    )
    #expect(try photos("select", other, own, "--remove", "--json").json["selected"] == [])
    #expect(try photos("select", app, "--only", "--json").json["selected"] == [])
    #expect(try photos("select", other).code == 64)
    #expect(try photos("select", other, "nothing").code == 66)
  }
}
