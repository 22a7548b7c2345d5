// SPDX-License-Identifier: Apache-2.0

import AppBundles
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct ContextCommandTests {
  let fixture: CommandFixture
  private let app = CommandFixture.app
  private static let unknownApp = CatalogError.appNotInstalled(
    id: "org.example.kamera",
    nearest: CommandFixture.app
  )

  init() throws { fixture = try CommandFixture() }

  @Test func `sets, gets and clears an app context`() throws {
    let set = try fixture.run("context", "set", app, "{\"flash\": [1, null]}")
    #expect(set.code == 0)
    #expect(set.output == "set the context of org.example.camera: 18 of 4096 bytes\n")
    #expect(try fixture.run("context", "get", app).json == ["flash": [1, .null]])
    #expect(try AppContextStore(fixture.store()).get() == ["flash": [1, .null]])
    #expect(try fixture.run("context", "clear", app).code == 0)
    #expect(try fixture.run("context", "get", app, "--json").output == "null\n")
  }

  @Test func `reads an app context from standard input or from a file`() throws {
    let read = try fixture.run("context", "set", app, "-", "--json", input: " [ 1 ]\n")
    #expect(try read.json == ["app": "org.example.camera", "bytes": 3, "limit": 4096])
    #expect(try fixture.run("context", "get", app).json == [1])
    try fixture.write("context.json", "\"from a file\"")
    #expect(try fixture.run("context", "set", app, "@\(fixture.directory)/context.json").code == 0)
    #expect(try fixture.run("context", "get", app).json == "from a file")
    let missing = try fixture.run("context", "set", app, "@\(fixture.directory)/nothing")
    #expect(missing.code == 66)
  }

  @Test func `an oversized app context is rejected with both sizes and changes nothing`() throws {
    try #require(try fixture.run("context", "set", app, "1").code == 0)
    let large = "\"" + String(repeating: "x", count: 5000) + "\""
    let result = try fixture.run("context", "set", app, large)
    #expect(result.code == 65)
    #expect(result.errorOutput.contains("5002 bytes"))
    #expect(result.errorOutput.contains("4096"))
    #expect(try fixture.run("context", "get", app).json == 1)
    let longest = "\"" + String(repeating: "x", count: 4094) + "\""
    #expect(try fixture.run("context", "set", app, longest).code == 0)
  }

  @Test func `invalid JSON is rejected with its source and position`() throws {
    let word = try fixture.run("context", "set", app, "{a: 1}")
    #expect(word.code == 65)
    #expect(word.errorOutput.contains("JSON:1:2: expected a member name in double quotes"))
    #expect(word.errorOutput.contains("single quotes"))
    try fixture.write("context.json", "{\n,")
    let file = try fixture.run("context", "set", app, "@\(fixture.directory)/context.json")
    #expect(file.code == 65)
    #expect(file.errorOutput.contains("\(fixture.directory)/context.json:2:1: "))
    #expect(try fixture.run("context", "get", app).json == .null)
  }

  @Test func `context get creates no files and rejects an unknown app`() throws {
    #expect(try fixture.run("context", "get", app).output == "null\n")
    #expect(try fixture.run("context", "clear", app).code == 0)
    #expect(try FileSystem.status(fixture.root) == nil)
    _ = try fixture.migrateSession()
    for command in ["get", "clear"] {
      let result = try fixture.run("context", command, "org.example.kamera")
      #expect(result.code == 66)
      #expect(result.errorOutput == "darkroom: \(Self.unknownApp)\n")
    }
  }

  @Test func `context set accepts any app in an empty state root and then rejects an unknown app`() throws {
    #expect(try fixture.run("context", "set", app, "1").errorOutput == "")
    let other = try fixture.run("context", "set", "org.example.kamera", "2")
    #expect(other.code == 66 && other.output == "")
    #expect(other.errorOutput == "darkroom: \(Self.unknownApp)\n")
    #expect(try fixture.run("context", "get", app).json == 1)
    #expect(try fixture.store().root.appIDs() == [app])
  }

  @Test func `a damaged app context is reported with its path and can be cleared`() throws {
    let store = try fixture.store()
    try store.prepare()
    try FileSystem.replaceContents(store.contextFile, with: Array("{".utf8))
    let result = try fixture.run("context", "get", app)
    #expect(result.code == 65)
    #expect(result.errorOutput.contains("darkroom context clear org.example.camera"))
    #expect(try fixture.run("context", "clear", app).code == 0)
    #expect(try fixture.run("context", "get", app).code == 0)
  }
}
