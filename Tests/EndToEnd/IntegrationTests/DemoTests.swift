// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom demo`.
@Suite(.timeLimit(.minutes(20)), .waiting) struct DemoTests {
  @Test(arguments: Person.available)
  func `the demo takes three pictures that other programs can open, and leaves nothing else`(person: Person)
    throws
  {
    let place = try Place(person)
    let record = place.file("record.json")
    let result = try place.start([
      place.programs.darkroom, "demo", "--root", place.root, "--record", record,
    ]).end()
    #expect(result.code == 0, "\(result.errors)")
    let json = try place.json(try #require(try FileSystem.contents(record)))
    #expect(
      json["outcome"] == ["kind": "dismissed", "by": "person", "ending": ["kind": "exited", "exitCode": 0]]
    )
    #expect(json["enforcement"]?["status"]?.string == "full")
    let id = try #require(json["sessionID"]?.string)
    let content = "\(place.root)/apps/\(Place.app)/container/SessionContent/\(id)"
    let pictures = try FileSystem.names(in: content)
    #expect(pictures.count == 3)
    for picture in pictures {
      try runShell("[ \"$(identify -format '%m %w' '\(content)/\(picture)' | cut -d' ' -f1)\" = JPEG ]")
      try runShell("ffprobe -v error '\(content)/\(picture)'")
    }
    // The output names the paths of the pictures.
    #expect(result.text.contains("\(content)/\(pictures[0])"))
    try place.expectNothingLeft()

    // A second run in the same root replaces the installation and keeps the captured content.
    let second = try place.start([place.programs.darkroom, "demo", "--root", place.root]).end()
    #expect(second.code == 0, "\(second.errors)")
    #expect(try place.names("apps/\(Place.app)/container/SessionContent").count == 2)
    #expect(try FileSystem.names(in: content) == pictures)
  }

  @Test func `the demo's result for programs is the record and where the content is`() throws {
    let place = try Place(Person.available[0])
    let result = try place.start([place.programs.darkroom, "demo", "--json", "--root", place.root]).end()
    #expect(result.code == 0, "\(result.errors)")
    let json = try place.json(result.output)
    let content = try #require(json["content"]?.string)
    let listed = (json["session"]?["files"]?.elements ?? []).compactMap { $0["path"]?.string }
    #expect(try FileSystem.names(in: content) == listed.sorted())
    #expect(try FileSystem.contents(try #require(json["record"]?.string)) != nil)
  }
}
