// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import SessionStore
import Testing

/// `ps` and `recover`: sessions that have not been migrated.
@Suite struct SessionCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test func `ps lists a session while its host runs, and recover leaves it alone`() throws {
    let id: SessionID
    do {
      let workspace = try fixture.workspace()
      id = workspace.id
      let lines = try fixture.run("ps").lines
      try #require(lines.count == 2)
      let words = lines[1].split(separator: " ").map(String.init)
      #expect(words.first == id.description)
      #expect(words.dropFirst().first == "\(CurrentProcess.processID)")
      #expect(words.last == "org.example.camera.capture")
      let session = try #require(try fixture.run("ps", "--json").json["sessions"]?.elements?.first)
      #expect(session["session"]?.string == id.description)
      #expect(session["app"] == "org.example.camera")
      #expect(session["hostProcess"]?.integer == Int64(CurrentProcess.processID))
      #expect(try fixture.run("recover").output == "\(id)  running: skipped\n")
      #expect(workspace.id == id)
    }
    #expect(try fixture.run("ps", "--json").json == ["sessions": [], "trash": 0])
  }

  @Test func `recover migrates a session of a terminated host once`() throws {
    let id = try fixture.workspace("12345").id
    #expect(try fixture.run("content", "list", CommandFixture.app, "--json").json["sessions"] == [])
    let result = try fixture.run("recover", "--json")
    #expect(result.code == 0)
    let document = try result.json
    #expect(document["clean"] == true)
    let session = try #require(document["sessions"]?.elements?.first)
    #expect(session["session"]?.string == id.description)
    #expect(session["finding"] == "finished")
    #expect(session["record"]?["content"]?["bytes"] == 5)
    let path = try #require(session["path"]?.string)
    #expect(try FileSystem.contents("\(path)/picture.txt") == Array("12345".utf8))
    let listed = try fixture.run("content", "list", CommandFixture.app)
    #expect(listed.output.contains("dismissed hostDied"))
    let again = try fixture.run("recover")
    #expect(again.code == 0)
    #expect(again.output == "")
    #expect(again.errorOutput == "there is nothing to recover in \(fixture.root)\n")
  }

  @Test func `recover prints what was migrated and its path`() throws {
    let id = try fixture.workspace("12345").id
    let output = try fixture.run("recover").output
    #expect(output.hasPrefix("\(id)  finished: 1 file, 5 bytes migrated to org.example.camera in /"))
  }

  @Test func `recover reports a damaged session, keeps it and exits with an error`() throws {
    let workspace = try fixture.workspace()
    let places = workspace.places
    _ = consume workspace
    try FileSystem.replaceContents(places.journalFile, with: Array("{".utf8))
    let result = try fixture.run("recover")
    #expect(result.code == 73)
    #expect(result.output.hasPrefix("\(places.id)  damaged and left unchanged: "))
    #expect(try FileSystem.names(in: places.contentDirectory) == ["picture.txt"])
    let session = try #require(try fixture.run("recover", "--json").json["sessions"]?.elements?.first)
    #expect(session["finding"] == "damaged")
    #expect(session["reason"]?.string?.contains(places.journalFile) == true)
  }

  @Test func `ps is empty if the state root does not exist, and creates nothing`() throws {
    let result = try fixture.run("ps")
    #expect(result.code == 0)
    #expect(result.errorOutput == "no session is running\n")
    #expect(try FileSystem.status(fixture.root) == nil)
  }
}
