// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct KeyCommandTests {
  let fixture: CommandFixture

  init() throws {
    fixture = try CommandFixture()
    let text = """
      { "id": "org.example.camera", "name": "Camera", "open": ["true"],
        "controls": [{ "id": "shutter", "title": "Shoot", "extension": "org.example.camera.capture" }] }
      """
    try fixture.write("Camera/app.json", text)
    try fixture.install()
  }

  @Test func `binds, lists, rebinds and unbinds a key`() throws {
    let bound = try fixture.run("control", "bind", "KEY_CAMERA", "shutter", "--json")
    #expect(bound.code == 0)
    let binding: JSONValue = [
      "key": "KEY_CAMERA", "press": "single", "control": "org.example.camera/shutter",
    ]
    #expect(try bound.json == binding)
    try #require(try fixture.run("control", "bind", "KEY_POWER:double", "shutter").code == 0)
    try #require(try fixture.run("control", "bind", "KEY_CAMERA", "org.example.camera/shutter").code == 0)
    let list = try fixture.run("control", "bindings", "--json").json["bindings"]?.elements
    #expect(list?.first == binding && list?.count == 2)
    #expect(try fixture.run("control", "bindings").output.contains("KEY_POWER:double"))
    #expect(try fixture.run("control", "unbind", "KEY_CAMERA", "--json").json == binding)
    let again = try fixture.run("control", "unbind", "KEY_CAMERA")
    #expect(
      again.code == 66 && again.errorOutput.contains("bound keys: KEY_POWER"),
      "\(again.errorOutput)"
    )
  }

  @Test func `an invalid binding is rejected with a fix and changes nothing`() throws {
    let key = try fixture.run("control", "bind", "CAMERA", "shutter")
    #expect(key.code == 64 && key.errorOutput.contains("KEY_CAMERA"))
    let control = try fixture.run("control", "bind", "KEY_CAMERA", "shuter")
    #expect(control.code == 66 && control.errorOutput.contains("org.example.camera/shutter"))
    try #require(try fixture.run("control", "bind", "KEY_POWER", "shutter").code == 0)
    let double = try fixture.run("control", "bind", "KEY_POWER:double", "shutter")
    #expect(
      double.code == 65 && double.errorOutput.contains("darkroom control unbind KEY_POWER"),
      "\(double.errorOutput)"
    )
    #expect(try fixture.run("control", "bindings", "--json").json["bindings"]?.elements?.count == 1)
  }

  @Test func `a damaged bindings file is an error`() throws {
    try #require(try fixture.run("control", "bind", "KEY_CAMERA", "shutter").code == 0)
    let path = StateRoot(path: fixture.root).keyBindingsFile
    let text = String(decoding: try #require(try FileSystem.contents(path)), as: UTF8.self)
    let corruptions = [
      ("\"single\"", "\"triple\""), ("\"version\": 1", "\"version\": 2"), ("KEY_CAMERA", "KEY\\u001b"),
    ]
    for (old, new) in corruptions {
      try #require(text.contains(old))
      try FileSystem.replaceContents(path, with: Array(text.replacing(old, with: new).utf8))
      let list = try fixture.run("control", "bindings")
      #expect(list.code == 73 && list.errorOutput.contains(path), "\(list.errorOutput)")
      #expect(try fixture.run("control", "bind", "KEY_POWER", "shutter").code == 73)
    }
  }

  @Test func `--keys accepts input devices only`() throws {
    for arguments in [["run", "org.example.camera.capture"], ["control", "listen"]] {
      try #require(try fixture.run("control", "bind", "KEY_CAMERA", "shutter").code == 0)
      func failure(_ devices: String) throws -> CommandResult {
        try CommandResult.run(["--root", fixture.root] + arguments + ["--keys", devices], input: "")
      }
      let missing = try failure("/dev/input/none")
      #expect(missing.code == 66 && missing.errorOutput.contains("/dev/input/none"), "\(missing.errorOutput)")
      #expect(try failure("/dev/null").code == 65)
      #expect(try failure("/dev/null,").code == 64)
    }
  }

  @Test func `control listen checks the named devices even if no key is bound`() throws {
    try runShell(
      """
      listen() {
        code=0
        timeout 60 '\(BuiltProgram.path)' --root '\(fixture.root)' control listen --keys "$1" || code=$?
      }
      listen /dev/input/none; [ $code = 66 ]
      listen /dev/null; [ $code = 65 ]
      """
    )
  }

  @Test func `control listen picks up new bindings and exits on SIGTERM`() throws {
    try runShell(
      """
      set -e
      export DARKROOM_ROOT='\(fixture.root)'
      '\(BuiltProgram.path)' control listen >'\(fixture.directory)/out' 2>'\(fixture.directory)/notes' &
      listener=$!
      until grep -q 'no key is bound' '\(fixture.directory)/notes'; do sleep 0.05; done
      '\(BuiltProgram.path)' control bind KEY_CAMERA shutter
      until grep -q 'KEY_CAMERA presses org.example.camera/shutter' '\(fixture.directory)/notes'; do sleep 0.05; done
      kill -TERM $listener
      wait $listener
      """
    )
  }
}
