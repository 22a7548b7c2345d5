// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of prewarmed extensions in a long-running host.
@Suite(.timeLimit(.minutes(20)), .waiting) struct WarmTests {
  @Test(arguments: Person.available)
  func `a session of an extension that has waited is like any other, and each waits for one`(
    person: Person
  ) throws {
    let host = try WarmSetting(person)
    let cold = try host.run()
    #expect(!cold.isWarm)
    // After a session, the next one is prewarmed without a request.
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
    // Before its launch, the extension saw nothing of the user or the app.
    #expect(warm.seen["before"] == "null")
    #expect(warm.seen["frame"] == "0")
    #expect(warm.seen["found"] == "0")
    #expect(warm.seen["after"] == "\"what the app has left\"")
    #expect(warm.startedAt >= launched)
    #expect(warm.essence == cold.essence)
    // A prewarmed extension is used only once.
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

  @Test(arguments: [
    ("write", "wrote"), ("speak", "spoke"), ("draw", "spoke"), ("finish", "spoke"), ("end", "died"),
    ("hush", "died"), ("crowd", "exceeded"), ("flood", "exceeded"), ("babble", "exceeded"),
  ])
  func `what does something before its launch is never launched, and what it made is never delivered`(
    order: String,
    end: String
  ) throws {
    let host = try WarmSetting(.available[0], order)
    try host.ask("context this was launched")
    try host.ask("start")
    try host.ask("end \(end)")
    let session = try host.run()
    #expect(!session.isWarm)
    #expect(session.files == ["seen"])
    #expect(session.seen["before"] == "\"this was launched\"")
    #expect(try host.ends()[end] ?? 0 >= 1)
    try host.end()
  }

  @Test func `what it writes while it waits does not keep it waiting, and is in the log alone`() throws {
    let host = try WarmSetting(.available[0], "chatter")
    let slot = try host.prepare()
    let log = "\(host.place.root)/sessions/\(slot)/log"
    try host.eventually { try FileSystem.status(log)?.size == 256 << 10 }
    let session = try host.run("echoed")
    #expect(session.isWarm)
    #expect(session.record["log"]?["bytes"] == .integer(262_153))
    #expect(try FileSystem.contents(host.place.file("echo")) == Array("launched\n".utf8))
    try host.end()
  }

  @Test func `what it made a moment before its launch keeps it from that`() throws {
    let host = try WarmSetting(.available[0])
    try host.make("early", in: host.prepare())
    let session = try host.run()
    #expect(!session.isWarm)
    #expect(session.files == ["seen"])
    #expect(try host.ends() == ["wrote": 1])
    try host.end()
  }

  @Test func `what is no more as it was when it was started does not wait on`() throws {
    let host = try WarmSetting(.available[0])
    _ = try host.prepare()
    try host.ask("change program")
    try host.ask("end changed")
    #expect(try host.settle() == [])
    try host.end()
  }

  @Test(arguments: ["program", "assets", "quota"])
  func `what has changed since somebody asked for it is not started`(change: String) throws {
    let host = try WarmSetting(.available[0], limits: ["pause=2"])
    #expect(try !host.run().isWarm)
    try host.ask("change \(change)")
    #expect(try host.settle() == [])
    #expect(try host.ends() == [:])
    try host.end()
  }

  @Test func `one that was shown another file under the same path is not launched`() throws {
    let host = try WarmSetting(.available[0])
    let shown = host.place.file("shown")
    try FileSystem.makeDirectory(shown)
    _ = try host.prepare("own")
    try FileSystem.rename(shown, to: host.place.file("before"), .noReplace)
    try FileSystem.makeDirectory(shown)
    #expect(try !host.run("own").isWarm)
    #expect(try host.ends() == ["changed": 1])
    try host.end()
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can mount a file system"))
  func `one that was shown something else than is mounted now does not wait on, and others do`() throws {
    let host = try WarmSetting(.available[0])
    for path in ["shown", "shown/below", "aside"] { try FileSystem.makeDirectory(host.place.file(path)) }
    let slot = try host.prepare("own")
    func mount(_ name: String) throws { try runShell("mount -t tmpfs none '\(host.place.file(name))'") }
    try mount("aside")
    let session = try host.run("own")
    #expect(session.isWarm && session.id == slot)
    _ = try host.waiting(1)
    try mount("shown/below")
    try host.ask("end changed")
    #expect(try host.settle() == [])
    try runShell("umount '\(host.place.file("aside"))' '\(host.place.file("shown/below"))'")
    try host.ask("close")
    host.kill()
    // Concurrent sessions of other tests keep these mounts in their mount tables until they exit.
    try host.place.waitForNoProcess()
    try host.place.expectNothingLeft()
  }

  @Test(arguments: Person.available)
  func `what it made is deleted however deep it is`(person: Person) throws {
    let host = try WarmSetting(person, "nest")
    try host.ask("start")
    try host.ask("end wrote")
    try host.end()
  }

  @Test(arguments: Person.available)
  func `what it keeps in a file without a name is made, too`(person: Person) throws {
    let host = try WarmSetting(person, "hide")
    try host.ask("start")
    try host.ask("end wrote")
    #expect(try host.settle() == [])
    try host.end()
  }

  @Test(arguments: Person.available)
  func `nothing waits where no more is free than what no session takes`(person: Person) throws {
    try withSmallDisk(person, "size=64m") { place in
      let host = try WarmSetting(person, at: place)
      #expect(try place.darkroom("quota", ["set", "--reserve", "16MiB"]).code == 0)
      _ = try host.prepare()
      try runShell("head -c 56M /dev/zero >'\(place.root)/../others'")
      try host.ask("end full")
      try runShell("rm '\(place.root)/../others'")
      #expect(try host.settle() == [])
      // The next request prewarms again.
      _ = try host.prepare()
      try host.end()
    }
  }

  @Test func `what ends by itself is not started again until it is asked for`() throws {
    let host = try WarmSetting(.available[0], "end", limits: ["each=2"])
    for _ in 0..<2 {
      let before = try host.ends()["died"] ?? 0
      try host.ask("start")
      try host.ask("end died \(before + 1)")
      try host.eventually { try host.settle() == [] }
      // The second extension can start before the first has exited.
      #expect(try (1...2).contains((host.ends()["died"] ?? 0) - before))
    }
    #expect(try !host.run().isWarm)
    try host.end()
  }

  @Test(arguments: Person.available)
  func `what waits ends with its host, and leaves nothing for recovery to deliver`(person: Person) throws {
    let host = try WarmSetting(person)
    let slot = try host.prepare()
    host.kill()
    try host.eventually { try host.place.processes() == [] }
    try host.make("early", in: slot)
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
    let host = try WarmSetting(.available[0], limits: ["all=3", "each=2", "lifetime=2"])
    let first = try host.prepare()
    try host.ask("end expired")
    #expect(try !host.settle().contains(first))
    #expect(try host.ends()["evicted"] == nil)
    try host.end()
    let pair = try WarmSetting(.available[0], limits: ["all=3", "each=2"])
    try pair.ask("start")
    #expect(try pair.settle().count == 2)
    #expect(try pair.ends() == [:])
    try pair.end()
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
