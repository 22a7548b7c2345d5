// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom demo`.
@Suite(.timeLimit(.minutes(20)), .waiting) struct DemoTests {
  @Test(arguments: TestUser.available)
  func `the demo captures three valid pictures and leaves nothing else`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let record = home.file("record.json")
    let result = try home.start([
      home.programs.darkroom, "demo", "--root", home.root, "--record", record,
    ]).end()
    #expect(result.code == 0, "\(result.errors)")
    let json = try home.json(try #require(try FileSystem.contents(record)))
    #expect(
      json["outcome"] == ["kind": "dismissed", "by": "user", "ending": ["kind": "exited", "exitCode": 0]]
    )
    #expect(json["enforcement"]?["status"]?.string == "full")
    let id = try #require(json["sessionID"]?.string)
    let content = "\(home.root)/apps/\(TestHome.app)/container/SessionContent/\(id)"
    let pictures = try FileSystem.names(in: content)
    #expect(pictures.count == 3)
    for picture in pictures {
      try runShell("[ \"$(identify -format '%m %w' '\(content)/\(picture)' | cut -d' ' -f1)\" = JPEG ]")
      try runShell("ffprobe -v error '\(content)/\(picture)'")
    }
    // The output names the paths of the pictures.
    #expect(result.text.contains("\(content)/\(pictures[0])"))
    try home.expectNothingLeft()

    // A second run in the same root replaces the installation and keeps the captured content.
    let second = try home.start([home.programs.darkroom, "demo", "--root", home.root]).end()
    #expect(second.code == 0, "\(second.errors)")
    #expect(try home.names("apps/\(TestHome.app)/container/SessionContent").count == 2)
    #expect(try FileSystem.names(in: content) == pictures)
  }

  @Test func `the JSON output of the demo contains the record and the content directory`() throws {
    let home = try TestHome(TestUser.available[0])
    let result = try home.start([home.programs.darkroom, "demo", "--json", "--root", home.root]).end()
    #expect(result.code == 0, "\(result.errors)")
    let json = try home.json(result.output)
    let content = try #require(json["content"]?.string)
    let listed = (json["session"]?["files"]?.elements ?? []).compactMap { $0["path"]?.string }
    #expect(try FileSystem.names(in: content) == listed.sorted())
    #expect(try FileSystem.contents(try #require(json["record"]?.string)) != nil)
  }
}
