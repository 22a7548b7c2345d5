// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

@Suite struct QuotaCommandTests {
  let fixture: CommandFixture
  private let app = CommandFixture.app

  init() throws { fixture = try CommandFixture() }

  @Test func `the larger reserve applies and its source is shown`() throws {
    #expect(try fixture.run("quota", "set", "--reserve", "1MiB").code == 0)
    let smaller = try fixture.run("quota", "set", "--app", app, "--reserve", "4KiB")
    #expect(smaller.code == 0)
    #expect(
      smaller.errorOutput.contains("the reserve is 1048576 bytes (the setting of the state root); ")
    )
    var shown = try fixture.run("quota", "show", app, "--json").json
    #expect(shown["reserve"] == 1_048_576)
    #expect(shown["reserveSource"] == "root")
    #expect(shown["reserves"] == ["root": 1_048_576, "app": 4096])
    #expect(
      try fixture.run("quota", "show", app).output.contains(
        "the reserve of the app, 4096 bytes, is not larger"
      )
    )
    let larger = try fixture.run("quota", "set", "--app", app, "--reserve", "2MiB")
    #expect(larger.errorOutput.isEmpty)
    #expect(larger.output.contains("\(app)  - bytes, - files, - sessions, reserve 2097152 bytes"))
    shown = try fixture.run("quota", "show", app, "--json").json
    #expect(shown["reserve"] == 2_097_152)
    #expect(shown["reserveSource"] == "app")
    let other = try fixture.run("quota", "show", "org.example.other", "--json").json
    #expect(other["reserve"] == 1_048_576)
  }

  @Test(arguments: [[], ["--app", "org.example.camera"]])
  func `warns about a reserve that is larger than the file system`(words: [String]) throws {
    let result = try CommandResult.run(
      ["--root", fixture.root, "quota", "set", "--reserve", "900TiB"] + words,
      input: ""
    )
    #expect(result.code == 0)
    #expect(result.errorOutput.contains("can start; choose a smaller reserve"), "\(result.errorOutput)")
  }

  @Test func `a reserve of zero removes the reserve of an app, and --clear removes all its settings`() throws
  {
    #expect(try fixture.run("quota", "set", "--app", app, "--reserve", "2MiB", "--files", "7").code == 0)
    let none = try fixture.run("quota", "set", "--app", app, "--reserve", "0", "--json").json
    #expect(none["apps"]?[app] == ["files": 7])
    #expect(try fixture.run("quota", "set", "--app", app, "--reserve", "2MiB").code == 0)
    let cleared = try fixture.run("quota", "set", "--app", app, "--clear", "--json").json
    #expect(cleared["apps"]?.members?.isEmpty == true)
  }

  @Test func `quota set without a setting is a usage error and creates nothing`() throws {
    for words in [[], ["--app", app]] {
      let result = try CommandResult.run(["--root", fixture.root, "quota", "set"] + words, input: "")
      #expect(result.code == 64)
      #expect(result.errorOutput.contains("--reserve"))
    }
    #expect((try? FileSystem.status(fixture.root)) == .some(nil))
  }
}
