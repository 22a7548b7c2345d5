// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Extensions that are started ahead, in a host that lives long.
@Suite(.timeLimit(.minutes(20))) struct WarmTests {
  @Test(arguments: Person.available)
  func `a session of an extension that has waited is like any other, and each waits for one`(
    person: Person
  ) throws {
    let host = try WarmSetting(person)
    let cold = try host.run()
    #expect(!cold.isWarm)
    // After a session the next one is started without being asked for.
    let slot = try #require(try host.waiting(1).first)
    let list = try host.place.json(host.place.darkroom("ps", ["--json"]).output)["sessions"]?.elements
    #expect(list?.map { $0["session"]?.string } == [slot])
    #expect(list?.first?["state"] == "waiting")
    try host.ask("context what the app has left")
    let launched = WallClock.text(milliseconds: WallClock.milliseconds)
    let warm = try host.run()
    #expect(warm.isWarm)
    #expect(warm.id == slot)
    #expect(warm.seen["session"] == slot)
    // Before its launch it saw nothing of the person's, nor of the app's.
    #expect(warm.seen["before"] == "null")
    #expect(warm.seen["frame"] == "0")
    #expect(warm.seen["found"] == "0")
    #expect(warm.seen["after"] == "\"what the app has left\"")
    #expect(warm.startedAt >= launched)
    #expect(warm.essence == cold.essence)
    // Whatever comes, it was used once.
    let other = try #require(try host.waiting(1).first)
    #expect(other != slot)
    #expect(try host.run().id == other)
    #expect(try host.ends() == ["launched": 2])
    try host.end()
  }

  @Test func `one that was started for something else is not launched`() throws {
    let host = try WarmSetting(.available[0])
    for change in [
      "policy", "resolution", "manifest", "program", "bundle", "arguments", "environment", "shown",
      "permissions",
      "locked", "rules", "surface", "camera", "assets", "quota",
    ] {
      let slot = try host.prepare()
      let session = try host.run(change)
      #expect(!session.isWarm, "\(change)")
      #expect(session.id != slot, "\(change)")
      #expect(session.seen["session"] == session.id, "\(change)")
      #expect(try host.ends()["launched"] == nil, "\(change)")
    }
    try host.end()
  }

  @Test(arguments: [("write", "wrote"), ("speak", "spoke"), ("end", "died"), ("crowd", "exceeded")])
  func `what does something before its launch is never launched, and what it made is never delivered`(
    order: String,
    end: String
  ) throws {
    let host = try WarmSetting(.available[0], order)
    try host.ask("context this was launched")
    try host.ask("start")
    if order == "write" {
      let early = "\(host.place.root)/sessions/\(try host.waiting(1)[0])/content/early"
      try host.eventually { try FileSystem.status(early) != nil }
    } else {
      try host.ask("end \(end)")
    }
    let session = try host.run()
    #expect(!session.isWarm)
    #expect(session.files == ["seen"])
    #expect(session.seen["before"] == "\"this was launched\"")
    #expect(try host.ends()[end] ?? 0 >= 1)
    try host.end()
  }

  @Test(arguments: Person.available)
  func `what waits ends with its host, and leaves nothing for recovery to deliver`(person: Person) throws {
    let host = try WarmSetting(person, "write")
    let slot = try host.prepare()
    try host.eventually { try FileSystem.status("\(host.place.root)/sessions/\(slot)/content/early") != nil }
    host.kill()
    try host.eventually { try host.place.processes() == [] }
    #expect(try host.place.names("sessions") == [slot])
    #expect(try host.place.darkroom("recover", []).code == 0)
    try host.place.expectNothingLeft()
    #expect(try host.place.names("apps/\(WarmSetting.app)/container/SessionRecords") == [])
    #expect(try host.place.names("apps/\(WarmSetting.app)/container/SessionContent") == [])
  }

  @Test func `once it is launched, what it has captured survives its host`() throws {
    let host = try WarmSetting(.available[0], "stay")
    let slot = try host.prepare()
    try host.launch(slot)
    host.kill()
    try host.eventually { try host.place.processes() == [] }
    #expect(try host.place.darkroom("recover", []).code == 0)
    try host.place.expectNothingLeft()
    #expect(try host.place.names("apps/\(WarmSetting.app)/container/SessionContent") == [slot])
  }

  @Test func `no more wait than may, none for longer than it may, and none that did not ask for it`() throws {
    let host = try WarmSetting(.available[0], limits: ["all=3", "each=2", "lifetime=0.3"])
    let first = try host.prepare()
    #expect(try host.waiting(2).count == 2)
    try host.ask("end expired")
    let others = try host.waiting(1)
    #expect(!others.contains(first) && others.count <= 2)
    try host.end()
    let crowd = try WarmSetting(.available[0], limits: ["all=1", "each=2"])
    try crowd.ask("start")
    try crowd.ask("end evicted")
    #expect(try crowd.waiting(0).count <= 1)
    try crowd.end()
    let unasked = try WarmSetting(.available[0], isWarm: false)
    try unasked.ask("start")
    #expect(try !unasked.run().isWarm)
    #expect(try !unasked.run().isWarm)
    #expect(try unasked.ends() == [:])
    try unasked.end()
  }
}
