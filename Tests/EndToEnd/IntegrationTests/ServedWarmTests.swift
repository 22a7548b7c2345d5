// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of prewarmed extensions of a server, each of which is used once and only for matching launches.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ServedWarmTests {
  @Test(arguments: Person.available)
  func `the second session of an extension that has asked for it had waited, and has all of its own`(
    person: Person
  ) throws {
    let setting = try ServedWarmSetting(person)
    let cold = try setting.run()
    #expect(!cold.isWarm)
    let slot = try setting.waiting(otherThan: cold.id)
    #expect(slot.host == setting.server.command.process)
    try ServedWarmSetting.tell(setting.place, "context", "set", WarmSetting.app, #""what the app has left""#)
    let client = try setting.start()
    try setting.awaitContent(slot.id, client)
    // A signal to the listed PID ends only the session, once the journal contains that PID. The extension can
    // be faster than the journal.
    let mine = ServedWarmSetting.Shown(id: slot.id, host: client.process, state: "running")
    try client.wait { try setting.shown().contains(mine) }
    client.signal(SIGTERM)
    #expect(try client.end().code == 75)
    let warm = try setting.session()
    #expect(warm.isWarm)
    #expect(warm.id == slot.id)
    for line in [
      "before=null", "frame=0", "found=0", "after=\"what the app has left\"", "session=\(slot.id)",
    ] {
      #expect(warm.seen.contains("\(line)\n"), "\(warm.seen)")
    }
    // A prewarmed extension is used only once.
    let other = try setting.waiting(otherThan: slot.id)
    let third = try setting.run()
    #expect(third.isWarm)
    #expect(third.id == other.id)
    #expect(try setting.finding().contains("2 were launched from there"))
    _ = try setting.waiting(otherThan: other.id)
    try setting.server.stop()
  }

  @Test func `what was started for what is no more ends at once, and is never launched`() throws {
    let setting = try ServedWarmSetting(.available[0])
    var last = try setting.run().id
    let place = setting.place
    let changes: [(String, () throws -> Void)] = [
      (
        "permission",
        { try ServedWarmSetting.tell(place, "permission", "set", WarmSetting.app, "camera", "denied") }
      ),
      ("update", { try ServedWarmSetting.install(in: place, name: "Another") }),
      ("lock", { try ServedWarmSetting.tell(place, "lock", "configure", "--authenticator", "passcode") }),
      // An app cannot be uninstalled while its extension is starting.
      ("uninstall", { try uninstall(setting) }),
    ]
    for (name, change) in changes {
      let slot = try setting.waiting(otherThan: last)
      try change()
      try setting.gone(slot)
      if name == "uninstall" { break }
      let session = try setting.run()
      #expect(!session.isWarm, "\(name)")
      #expect(session.id != slot.id, "\(name)")
      last = slot.id
    }
    #expect(try setting.finding().contains(" 0 were launched from there"))
    try setting.server.stop()
  }

  @Test(arguments: Person.available)
  func `what waits is erased after its server has died, and what was launched is handed over`(
    person: Person
  ) throws {
    let setting = try ServedWarmSetting(person)
    let place = setting.place
    let cold = try setting.run()
    let launched = try setting.waiting(otherThan: cold.id)
    let client = try setting.start()
    try setting.awaitContent(launched.id, client)
    let slot = try setting.waiting(otherThan: launched.id)
    setting.server.command.signal(SIGKILL)
    #expect(try client.end().code == 71)
    _ = try setting.server.command.end()
    try place.waitForNoProcess()
    #expect(try Set(place.names("sessions")) == [launched.id, slot.id])
    #expect(try place.darkroom("recover", []).code == 0)
    try place.expectNothingLeft()
    let container = "apps/\(WarmSetting.app)/container"
    #expect(try Set(place.names("\(container)/SessionContent")) == [cold.id, launched.id])
    #expect(try place.names("\(container)/SessionRecords").count == 2)
  }

  /// Returns the allocated memory of the host's largest frame ring. Pages that were never written are not
  /// allocated.
  private static func memoryOfFrames(_ process: Int32) throws -> Int64 {
    let directory = "/proc/\(process)/fd"
    return try FileSystem.names(in: directory).reduce(0) { most, name in
      let path = "\(directory)/\(name)"
      guard let target = try? FileSystem.linkTarget(path), target.hasPrefix("/memfd:darkroom-frames") else {
        return most
      }
      return max(most, try FileSystem.open(path, [.read]).status().allocated)
    }
  }

  @Test func `a server that has a camera starts ahead before anybody launches, for the lock screen`() throws {
    let setting = try ServedWarmSetting(
      .available[0],
      options: ["--camera", ServedWarmSetting.camera, "--warm", "2", "--warm-lifetime", "1h"],
      isCameraAllowed: true
    )
    let place = setting.place
    let first = try setting.waiting()
    // The first frame and the page of the header.
    #expect(try Self.memoryOfFrames(setting.server.command.process) >= 64 * 48 * 3 / 2 + 4096)
    // An updated app is prewarmed again.
    try ServedWarmSetting.install(in: place, name: "Another")
    let second = try setting.waiting(otherThan: first.id)
    try setting.gone(first)
    // Reading the lock state records that it was unlocked.
    try ServedWarmSetting.tell(place, "lock", "status")
    try ServedWarmSetting.tell(place, "lock")
    let press = try setting.press()
    try setting.awaitContent(second.id, press)
    let third = try setting.waiting(otherThan: second.id)
    // A press during a foreground session is refused, and the prewarmed extension is kept.
    #expect(try setting.press().end().code == 69)
    #expect(try setting.shown().contains(third))
    #expect(try setting.finding().contains("; 1 of at most 2 extensions wait, 1 were launched from there"))
    press.signal(SIGTERM)
    #expect(try press.end().code == 75)
    #expect(try setting.session().isWarm)
    try setting.server.stop()
  }

  @Test func `what was started before anybody launched ends when it is allowed less`() throws {
    let setting = try ServedWarmSetting(
      .available[0],
      options: ["--camera", ServedWarmSetting.camera],
      isCameraAllowed: true
    )
    let slot = try setting.waiting()
    try ServedWarmSetting.tell(setting.place, "permission", "set", WarmSetting.app, "camera", "denied")
    try setting.gone(slot)
    try setting.server.stop()
  }

  @Test func `why an extension is not started ahead is said`() throws {
    let setting = try ServedWarmSetting(
      .available[0],
      options: ["--camera", ServedWarmSetting.camera],
      isCameraAllowed: true
    )
    let place = setting.place
    let slot = try setting.waiting()
    #expect(try !setting.server.notes().contains("is not started ahead"))
    // The executable differs from the installed one.
    try runShell(
      "f=$(find '\(place.root)/apps' -path '*/Capture/capture'); cp \"$f\" \"$f.new\"; printf x >>\"$f.new\"; mv \"$f.new\" \"$f\""
    )
    try setting.gone(slot)
    try ServedWarmSetting.tell(place, "permission", "reset", WarmSetting.app, "camera")
    try ServedWarmSetting.tell(place, "permission", "set", WarmSetting.app, "camera", "authorized")
    try setting.server.command.wait {
      try setting.server.notes().contains("\(ServedWarmSetting.captureExtension) is not started ahead: ")
    }
    #expect(try setting.finding().contains("; 0 of at most 4 extensions wait"))
    try setting.server.stop()
  }

  @Test func `nothing waits where nothing is to, and nothing for longer than it may`() throws {
    let none = try ServedWarmSetting(.available[0], options: ["--warm", "0"])
    #expect(try !none.run().isWarm)
    #expect(try !none.run().isWarm)
    #expect(try none.finding().contains("; 0 of at most 0 extensions wait"))
    #expect(try none.shown() == [])
    try none.server.stop()
    let short = try ServedWarmSetting(.available[0], options: ["--warm-lifetime", "1s"])
    let cold = try short.run()
    let slot = try short.shownWaiting(otherThan: cold.id)
    try short.gone(slot)
    try short.server.stop()
  }

  @Test(arguments: Person.available)
  func `a server whose broker has died launches without it, and says so`(person: Person) throws {
    let place = try Place(person)
    let server = try RunningServer(place)
    func exec() throws { #expect(try place.darkroom("exec", ["--app", Place.app, "--", "true"]).code == 0) }
    // Mounts by other processes on this machine restart the broker.
    try server.command.wait {
      try exec()
      return try !Self.finding(place).contains(" 0 by the broker")
    }
    let broker = try #require(try Self.broker(of: server.command.process))
    kill(broker, SIGKILL)
    try server.command.wait { try Self.broker(of: server.command.process) == nil }
    try exec()
    try server.wait(for: "brokerless")
    try exec()
    #expect(try Self.finding(place).contains("of which there is none (it has ended)"))
    #expect(try server.count("brokerless") == 1)
    try server.stop()
  }

  @Test func `who may use fewer processors than the server gets nothing that it has made`() throws {
    let setting = try ServedWarmSetting(.available[0])
    let cold = try setting.run()
    let slot = try setting.waiting(otherThan: cold.id)
    setting.place.confinement = ["/usr/bin/taskset", "-c", "0"]
    #expect(try !setting.run().isWarm)
    for _ in 0..<3 {
      let words = ["--app", Place.app, "--", "sh", "-c", "exec nproc"]
      #expect(try setting.place.darkroom("exec", words).text == "1\n")
    }
    setting.place.confinement = []
    #expect(try setting.shown().contains(slot))
    try setting.server.stop()
  }

  private func uninstall(_ setting: ServedWarmSetting) throws {
    let words = ["--discard-content", WarmSetting.app]
    try setting.server.command.wait { try setting.place.darkroom("uninstall", words).code == 0 }
  }

  /// Returns the doctor's detail about the server.
  private static func finding(_ place: Place) throws -> String {
    let doctor = try place.json(try place.darkroom("doctor", ["--json"]).output)
    return doctor["machine"]?.elements?.first { $0["name"]?.string == "server" }?["detail"]?.string ?? ""
  }

  /// Returns the PID of a server's broker, or `nil` if there is none.
  private static func broker(of server: Int32) throws -> Int32? {
    try FileSystem.names(in: "/proc").compactMap { Int32($0) }.first { process in
      let bytes = try? FileSystem.contents("/proc/\(process)/stat", limit: 4096)
      let text = String(decoding: bytes.flatMap { $0 } ?? [], as: UTF8.self)
      return text.contains("(launch-broker) ") && !text.contains(") Z ") && text.contains(" \(server) ")
    }
  }
}
