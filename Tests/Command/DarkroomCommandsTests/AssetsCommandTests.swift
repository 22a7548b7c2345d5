// SPDX-License-Identifier: Apache-2.0

import AppBundles
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct AssetsCommandTests {
  let fixture: CommandFixture
  private let app = CommandFixture.app
  private let presets: String

  init() throws {
    fixture = try CommandFixture()
    presets = "\(fixture.directory)/Presets"
    try FileSystem.makeDirectory(presets)
    try fixture.write("Presets/looks.json", "{}")
  }

  @Test func `publishes, lists and clears assets`() throws {
    let published = try fixture.run("assets", "publish", app, presets)
    #expect(published.output == "published 1 file, 2 bytes for org.example.camera (generation 1)\n")
    let list = try fixture.run("assets", "list", app)
    #expect(list.output.contains("current, not used"), "\(list.output)")
    let again = try fixture.run("assets", "publish", app, presets, "--json")
    #expect(try again.json["app"]?.string == app && again.json["set"]?["generation"]?.integer == 2)
    let sets = try #require(try fixture.run("assets", "list", app, "--json").json["sets"]?.elements)
    #expect(sets.count == 1 && sets[0]["files"]?.integer == 1 && sets[0]["bytes"]?.integer == 2)
    #expect(sets[0]["current"]?.bool == true && sets[0]["used"]?.bool == false)
    #expect(sets[0]["publishedAt"]?.string?.hasSuffix("Z") == true)
    #expect(try fixture.run("assets", "clear", app, "--json").json == ["app": .string(app), "cleared": true])
    #expect(try fixture.run("assets", "clear", app).output == "org.example.camera has no published assets\n")
    #expect(try fixture.run("assets", "list", app).errorOutput.contains("has no published assets"))
    #expect(try fixture.run("assets", "list", app, "--json").json["sets"] == [])
  }

  @Test func `rejects invalid and oversized asset sets and keeps the published set`() throws {
    try #require(try fixture.run("assets", "publish", app, presets).code == 0)
    try FileSystem.open("\(presets)/large", [.write, .create, .exclusive]).truncate(to: 64 << 20)
    let large = try fixture.run("assets", "publish", app, presets)
    #expect(large.code == 65)
    #expect(
      large.errorOutput.contains("67108866 bytes, more than the limit of 67108864"),
      "\(large.errorOutput)"
    )
    #expect(large.errorOutput.contains("(the previously shared files are kept)"))
    #expect(try fixture.run("assets", "publish", app, "\(presets)/none").code == 66)
    #expect(try fixture.run("assets", "publish", "../app", presets).code == 64)
    #expect(try fixture.run("assets", "list", "org.example.other").code == 66)
    let unknown = try fixture.run("assets", "publish", "org.example.kamera", presets)
    let error = CatalogError.appNotInstalled(id: "org.example.kamera", nearest: app)
    #expect(unknown.code == 66 && unknown.errorOutput == "darkroom: \(error)\n")
    let sets = try fixture.run("assets", "list", app, "--json").json["sets"]?.elements
    #expect(sets?.map { $0["generation"]?.integer } == [1])
  }
}
