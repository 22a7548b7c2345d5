// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of prewarmed extensions in a long-running host.
@Suite(.timeLimit(.minutes(20)), .waiting) struct PrewarmTests {
  @Test(arguments: TestUser.available)
  func `a prewarmed session equals a cold one, and the next one is prewarmed after it`(
    user: TestUser
  ) throws {
    let host = try PrewarmFixture(user)
    let cold = try host.run()
    #expect(!cold.isPrewarmed)
    // After a session, the next one is prewarmed without a request.
    let slot = try #require(try host.awaitPrewarmed(1).first)
    let list = try host.home.json(host.home.darkroom("ps", ["--json"]).output)["sessions"]?.elements
    #expect(list?.map { $0["session"]?.string } == [slot])
    #expect(list?.first?["state"] == "prewarmed")
    try host.request("context what the app has left")
    let launched = WallClock.text(milliseconds: WallClock.milliseconds)
    let warm = try host.run()
    #expect(warm.isPrewarmed)
    #expect(warm.id == slot)
    #expect(warm.observations["session"] == slot)
    // Before its launch, the extension saw nothing of the user or the app.
    #expect(warm.observations["before"] == "null")
    #expect(warm.observations["frame"] == "0")
    #expect(warm.observations["found"] == "0")
    #expect(warm.observations["after"] == "\"what the app has left\"")
    #expect(warm.startedAt >= launched)
    #expect(warm.comparableFields == cold.comparableFields)
    // A prewarmed extension is used only once.
    let other = try #require(try host.awaitPrewarmed(1).first)
    #expect(other != slot)
    #expect(try host.run().id == other)
    #expect(try host.endReasonCounts() == ["launched": 2])
    try host.end()
  }

  @Test func `does not launch an extension that was prewarmed for a different launch`() throws {
    let host = try PrewarmFixture(.available[0])
    for change in [
      "policy", "resolution", "manifest", "program", "bundle", "arguments", "environment", "shown",
      "permissions",
      "locked", "rules", "surface", "camera", "assets", "quota",
    ] {
      let slot = try host.prewarm()
      let session = try host.run(change)
      #expect(!session.isPrewarmed, "\(change)")
      #expect(session.id != slot, "\(change)")
      #expect(session.observations["session"] == session.id, "\(change)")
      #expect(try host.endReasonCounts()["launched"] == nil, "\(change)")
    }
    try host.end()
  }

  @Test(arguments: [
    ("write", "wroteContent"), ("speak", "sentMessage"), ("draw", "sentMessage"), ("finish", "sentMessage"),
    ("end", "exited"),
    ("hush", "exited"), ("crowd", "exceeded"), ("flood", "exceeded"), ("babble", "exceeded"),
  ])
  func `discards a prewarmed extension that writes, speaks or exits before its launch`(
    order: String,
    end: String
  ) throws {
    let host = try PrewarmFixture(.available[0], order)
    try host.request("context this was launched")
    try host.request("start")
    try host.request("end \(end)")
    let session = try host.run()
    #expect(!session.isPrewarmed)
    #expect(session.files == ["seen"])
    #expect(session.observations["before"] == "\"this was launched\"")
    #expect(try host.endReasonCounts()[end] ?? 0 >= 1)
    try host.end()
  }

  @Test func `output of a prewarmed extension goes to its log and does not prevent its launch`() throws {
    let host = try PrewarmFixture(.available[0], "chatter")
    let slot = try host.prewarm()
    let log = "\(host.home.root)/sessions/\(slot)/log"
    try host.eventually { try FileSystem.status(log)?.size == 256 << 10 }
    let session = try host.run("echoed")
    #expect(session.isPrewarmed)
    #expect(session.record["log"]?["bytes"] == .integer(262_153))
    #expect(try FileSystem.contents(host.home.file("echo")) == Array("launched\n".utf8))
    try host.end()
  }

  @Test func `discards a prewarmed extension that has written a file just before the launch`() throws {
    let host = try PrewarmFixture(.available[0])
    try host.createFile("early", in: host.prewarm())
    let session = try host.run()
    #expect(!session.isPrewarmed)
    #expect(session.files == ["seen"])
    #expect(try host.endReasonCounts() == ["wroteContent": 1])
    try host.end()
  }

  @Test func `terminates a prewarmed extension whose program has changed`() throws {
    let host = try PrewarmFixture(.available[0])
    _ = try host.prewarm()
    try host.request("change program")
    try host.request("end changed")
    #expect(try host.awaitIdle() == [])
    try host.end()
  }

  @Test(arguments: ["program", "assets", "quota"])
  func `does not prewarm if an input changes after the request`(change: String) throws {
    let host = try PrewarmFixture(.available[0], limits: ["pause=2"])
    #expect(try !host.run().isPrewarmed)
    try host.request("change \(change)")
    #expect(try host.awaitIdle() == [])
    #expect(try host.endReasonCounts() == [:])
    try host.end()
  }

  @Test func `does not launch an extension that was shown another file at the same path`() throws {
    let host = try PrewarmFixture(.available[0])
    let shown = host.home.file("shown")
    try FileSystem.makeDirectory(shown)
    _ = try host.prewarm("own")
    try FileSystem.rename(shown, to: host.home.file("before"), .noReplace)
    try FileSystem.makeDirectory(shown)
    #expect(try !host.run("own").isPrewarmed)
    #expect(try host.endReasonCounts() == ["changed": 1])
    try host.end()
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can mount a file system"))
  func `terminates a prewarmed extension only if a mount changes what it was shown`() throws {
    let host = try PrewarmFixture(.available[0])
    for path in ["shown", "shown/below", "aside"] { try FileSystem.makeDirectory(host.home.file(path)) }
    let slot = try host.prewarm("own")
    func mount(_ name: String) throws { try runShell("mount -t tmpfs none '\(host.home.file(name))'") }
    try mount("aside")
    let session = try host.run("own")
    #expect(session.isPrewarmed && session.id == slot)
    _ = try host.awaitPrewarmed(1)
    try mount("shown/below")
    try host.request("end changed")
    #expect(try host.awaitIdle() == [])
    try runShell("umount '\(host.home.file("aside"))' '\(host.home.file("shown/below"))'")
    try host.request("close")
    host.kill()
    // Concurrent sessions of other tests keep these mounts in their mount tables until they exit.
    try host.home.waitForNoProcess()
    try host.home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `deletes what a prewarmed extension wrote at any depth`(user: TestUser) throws {
    let host = try PrewarmFixture(user, "nest")
    try host.request("start")
    try host.request("end wroteContent")
    try host.end()
  }

  @Test(arguments: TestUser.available)
  func `discards a prewarmed extension with an unlinked file`(user: TestUser) throws {
    let host = try PrewarmFixture(user, "hide")
    try host.request("start")
    try host.request("end wroteContent")
    #expect(try host.awaitIdle() == [])
    try host.end()
  }

  @Test(arguments: TestUser.available)
  func `prewarms nothing if only the disk reserve is free`(user: TestUser) throws {
    try withSmallDisk(user, "size=64m") { home in
      let host = try PrewarmFixture(user, at: home)
      #expect(try home.darkroom("quota", ["set", "--reserve", "16MiB"]).code == 0)
      _ = try host.prewarm()
      try runShell("head -c 56M /dev/zero >'\(home.root)/../others'")
      try host.request("end full")
      try runShell("rm '\(home.root)/../others'")
      #expect(try host.awaitIdle() == [])
      // The next request prewarms again.
      _ = try host.prewarm()
      try host.end()
    }
  }

  @Test func `does not restart a prewarmed extension that exits by itself before the next request`() throws {
    let host = try PrewarmFixture(.available[0], "end", limits: ["each=2"])
    for _ in 0..<2 {
      let before = try host.endReasonCounts()["exited"] ?? 0
      try host.request("start")
      try host.request("end exited \(before + 1)")
      try host.eventually { try host.awaitIdle() == [] }
      // The second extension can start before the first has exited.
      #expect(try (1...2).contains((host.endReasonCounts()["exited"] ?? 0) - before))
    }
    #expect(try !host.run().isPrewarmed)
    try host.end()
  }

  @Test(arguments: TestUser.available)
  func `prewarmed extensions end with their host, and recovery delivers nothing of them`(user: TestUser)
    throws
  {
    let host = try PrewarmFixture(user)
    let slot = try host.prewarm()
    host.kill()
    try host.eventually { try host.home.processes() == [] }
    try host.createFile("early", in: slot)
    #expect(try host.home.names("sessions") == [slot])
    #expect(try host.home.darkroom("recover", []).code == 0)
    try host.home.expectNothingLeft()
    #expect(try host.home.names("apps/\(PrewarmFixture.app)/container/SessionRecords") == [])
    #expect(try host.home.names("apps/\(PrewarmFixture.app)/container/SessionContent") == [])
  }

  @Test func `content of a launched prewarmed extension survives its host`() throws {
    let host = try PrewarmFixture(.available[0], "stay")
    let slot = try host.prewarm()
    try host.launch(slot)
    host.kill()
    try host.eventually { try host.home.processes() == [] }
    #expect(try host.home.darkroom("recover", []).code == 0)
    try host.home.expectNothingLeft()
    #expect(try host.home.names("apps/\(PrewarmFixture.app)/container/SessionContent") == [slot])
  }

  @Test func `prewarms at most the configured number for the configured time, and only on request`() throws {
    let host = try PrewarmFixture(.available[0], limits: ["all=3", "each=2", "lifetime=2"])
    let first = try host.prewarm()
    try host.request("end expired")
    #expect(try !host.awaitIdle().contains(first))
    #expect(try host.endReasonCounts()["evicted"] == nil)
    try host.end()
    let pair = try PrewarmFixture(.available[0], limits: ["all=3", "each=2"])
    try pair.request("start")
    #expect(try pair.awaitIdle().count == 2)
    #expect(try pair.endReasonCounts() == [:])
    try pair.end()
    let crowd = try PrewarmFixture(.available[0], limits: ["all=1", "each=2"])
    try crowd.request("start")
    try crowd.request("end evicted")
    #expect(try crowd.awaitPrewarmed(0).count <= 1)
    try crowd.end()
    let unasked = try PrewarmFixture(.available[0], isPrewarmed: false)
    try unasked.request("start")
    #expect(try !unasked.run().isPrewarmed)
    #expect(try !unasked.run().isPrewarmed)
    #expect(try unasked.endReasonCounts() == [:])
    try unasked.end()
  }
}
