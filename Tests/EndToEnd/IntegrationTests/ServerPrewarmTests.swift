// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of prewarmed extensions of a server, each of which is used once and only for matching launches.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ServerPrewarmTests {
  @Test(arguments: TestUser.available)
  func `the second session uses the prewarmed extension, with its own context and ID`(
    user: TestUser
  ) throws {
    let fixture = try ServerPrewarmFixture(user)
    let cold = try fixture.run()
    #expect(!cold.isPrewarmed)
    let slot = try fixture.awaitPrewarmed(otherThan: cold.id)
    #expect(slot.host == fixture.server.command.process)
    try ServerPrewarmFixture.runDarkroom(
      fixture.home,
      "context",
      "set",
      PrewarmFixture.app,
      #""what the app has left""#
    )
    let client = try fixture.start()
    try fixture.awaitContent(slot.id, client)
    // A signal to the listed PID ends only the session, once the journal contains that PID. The extension can
    // be faster than the journal.
    let mine = ServerPrewarmFixture.ListedSession(id: slot.id, host: client.process, state: "running")
    try client.wait { try fixture.listedSessions().contains(mine) }
    client.signal(SIGTERM)
    #expect(try client.end().code == 75)
    let warm = try fixture.session()
    #expect(warm.isPrewarmed)
    #expect(warm.id == slot.id)
    for line in [
      "before=null", "frame=0", "found=0", "after=\"what the app has left\"", "session=\(slot.id)",
    ] {
      #expect(warm.observations.contains("\(line)\n"), "\(warm.observations)")
    }
    // A prewarmed extension is used only once.
    let other = try fixture.awaitPrewarmed(otherThan: slot.id)
    let third = try fixture.run()
    #expect(third.isPrewarmed)
    #expect(third.id == other.id)
    #expect(try fixture.serverFinding().contains("2 prewarmed launches"))
    _ = try fixture.awaitPrewarmed(otherThan: other.id)
    try fixture.server.stop()
  }

  @Test func `terminates prewarmed extensions whose permission, bundle or lock state changes`() throws {
    let fixture = try ServerPrewarmFixture(.available[0])
    var last = try fixture.run().id
    let home = fixture.home
    let changes: [(String, () throws -> Void)] = [
      (
        "permission",
        {
          try ServerPrewarmFixture.runDarkroom(
            home,
            "permission",
            "set",
            PrewarmFixture.app,
            "camera",
            "denied"
          )
        }
      ),
      ("update", { try ServerPrewarmFixture.install(in: home, name: "Another") }),
      (
        "lock",
        { try ServerPrewarmFixture.runDarkroom(home, "lock", "configure", "--authenticator", "passcode") }
      ),
      // An app cannot be uninstalled while its extension is starting.
      ("uninstall", { try uninstall(fixture) }),
    ]
    for (name, change) in changes {
      let slot = try fixture.awaitPrewarmed(otherThan: last)
      try change()
      try fixture.awaitRemoval(slot)
      if name == "uninstall" { break }
      let session = try fixture.run()
      #expect(!session.isPrewarmed, "\(name)")
      #expect(session.id != slot.id, "\(name)")
      last = slot.id
    }
    #expect(try fixture.serverFinding().contains(" 0 prewarmed launches"))
    try fixture.server.stop()
  }

  @Test(arguments: TestUser.available)
  func `recovery erases prewarmed sessions of a killed server and migrates launched ones`(
    user: TestUser
  ) throws {
    let fixture = try ServerPrewarmFixture(user)
    let home = fixture.home
    let cold = try fixture.run()
    let launched = try fixture.awaitPrewarmed(otherThan: cold.id)
    let client = try fixture.start()
    try fixture.awaitContent(launched.id, client)
    let slot = try fixture.awaitPrewarmed(otherThan: launched.id)
    fixture.server.command.signal(SIGKILL)
    #expect(try client.end().code == 71)
    _ = try fixture.server.command.end()
    try home.waitForNoProcess()
    #expect(try Set(home.names("sessions")) == [launched.id, slot.id])
    #expect(try home.darkroom("recover", []).code == 0)
    try home.expectNothingLeft()
    let container = "apps/\(PrewarmFixture.app)/container"
    #expect(try Set(home.names("\(container)/SessionContent")) == [cold.id, launched.id])
    #expect(try home.names("\(container)/SessionRecords").count == 2)
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

  @Test func `a server with a camera prewarms for the lock screen before any launch`() throws {
    let fixture = try ServerPrewarmFixture(
      .available[0],
      options: ["--camera", ServerPrewarmFixture.camera, "--warm", "2", "--warm-lifetime", "1h"],
      isCameraAllowed: true
    )
    let home = fixture.home
    let first = try fixture.awaitPrewarmed()
    // The first frame and the page of the header.
    #expect(try Self.memoryOfFrames(fixture.server.command.process) >= 64 * 48 * 3 / 2 + 4096)
    // An updated app is prewarmed again.
    try ServerPrewarmFixture.install(in: home, name: "Another")
    let second = try fixture.awaitPrewarmed(otherThan: first.id)
    try fixture.awaitRemoval(first)
    // Reading the lock state records that it was unlocked.
    try ServerPrewarmFixture.runDarkroom(home, "lock", "status")
    try ServerPrewarmFixture.runDarkroom(home, "lock")
    let press = try fixture.press()
    try fixture.awaitContent(second.id, press)
    let third = try fixture.awaitPrewarmed(otherThan: second.id)
    // A press during a foreground session is refused, and the prewarmed extension is kept.
    #expect(try fixture.press().end().code == 69)
    #expect(try fixture.listedSessions().contains(third))
    #expect(
      try fixture.serverFinding().contains("; 1 of at most 2 prewarmed extensions, 1 prewarmed launches")
    )
    press.signal(SIGTERM)
    #expect(try press.end().code == 75)
    #expect(try fixture.session().isPrewarmed)
    try fixture.server.stop()
  }

  @Test func `terminates a prewarmed extension if its permissions are reduced`() throws {
    let fixture = try ServerPrewarmFixture(
      .available[0],
      options: ["--camera", ServerPrewarmFixture.camera],
      isCameraAllowed: true
    )
    let slot = try fixture.awaitPrewarmed()
    try ServerPrewarmFixture.runDarkroom(
      fixture.home,
      "permission",
      "set",
      PrewarmFixture.app,
      "camera",
      "denied"
    )
    try fixture.awaitRemoval(slot)
    try fixture.server.stop()
  }

  @Test func `reports why an extension is not prewarmed`() throws {
    let fixture = try ServerPrewarmFixture(
      .available[0],
      options: ["--camera", ServerPrewarmFixture.camera],
      isCameraAllowed: true
    )
    let home = fixture.home
    let slot = try fixture.awaitPrewarmed()
    #expect(try !fixture.server.errorOutput().contains("cannot be prewarmed"))
    // The executable differs from the installed one.
    try runShell(
      "f=$(find '\(home.root)/apps' -path '*/Capture/capture'); cp \"$f\" \"$f.new\"; printf x >>\"$f.new\"; mv \"$f.new\" \"$f\""
    )
    try fixture.awaitRemoval(slot)
    try ServerPrewarmFixture.runDarkroom(home, "permission", "reset", PrewarmFixture.app, "camera")
    try ServerPrewarmFixture.runDarkroom(
      home,
      "permission",
      "set",
      PrewarmFixture.app,
      "camera",
      "authorized"
    )
    try fixture.server.command.wait {
      try fixture.server.errorOutput().contains(
        "\(ServerPrewarmFixture.captureExtension) cannot be prewarmed: "
      )
    }
    #expect(try fixture.serverFinding().contains("; 0 of at most 4 prewarmed extensions"))
    try fixture.server.stop()
  }

  @Test func `prewarms nothing with --warm 0, and nothing beyond the lifetime`() throws {
    let none = try ServerPrewarmFixture(.available[0], options: ["--warm", "0"])
    #expect(try !none.run().isPrewarmed)
    #expect(try !none.run().isPrewarmed)
    #expect(try none.serverFinding().contains("; 0 of at most 0 prewarmed extensions"))
    #expect(try none.listedSessions() == [])
    try none.server.stop()
    let short = try ServerPrewarmFixture(.available[0], options: ["--warm-lifetime", "1s"])
    let cold = try short.run()
    let slot = try short.awaitListedPrewarmed(otherThan: cold.id)
    try short.awaitRemoval(slot)
    try short.server.stop()
  }

  @Test(arguments: TestUser.available)
  func `launches without the broker after it has died, and reports so`(user: TestUser) throws {
    let home = try TestHome(user)
    let server = try RunningServer(home)
    func exec() throws {
      #expect(try home.darkroom("exec", ["--app", TestHome.app, "--", "true"]).code == 0)
    }
    // Mounts by other processes on this machine restart the broker.
    try server.command.wait {
      try exec()
      return try !Self.serverFinding(home).contains(" 0 launches by the broker")
    }
    let broker = try #require(try Self.broker(of: server.command.process))
    kill(broker, SIGKILL)
    try server.command.wait { try Self.broker(of: server.command.process) == nil }
    try exec()
    try server.wait(for: "brokerless")
    try exec()
    #expect(try Self.serverFinding(home).contains("the broker is unavailable (the broker has exited)"))
    #expect(try server.count("brokerless") == 1)
    try server.stop()
  }

  @Test func `a client with a smaller CPU affinity uses nothing that the server prepared`() throws {
    let fixture = try ServerPrewarmFixture(.available[0])
    let cold = try fixture.run()
    let slot = try fixture.awaitPrewarmed(otherThan: cold.id)
    fixture.home.confinementPrefix = ["/usr/bin/taskset", "-c", "0"]
    #expect(try !fixture.run().isPrewarmed)
    for _ in 0..<3 {
      let arguments = ["--app", TestHome.app, "--", "sh", "-c", "exec nproc"]
      #expect(try fixture.home.darkroom("exec", arguments).text == "1\n")
    }
    fixture.home.confinementPrefix = []
    #expect(try fixture.listedSessions().contains(slot))
    try fixture.server.stop()
  }

  private func uninstall(_ fixture: ServerPrewarmFixture) throws {
    let arguments = ["--discard-content", PrewarmFixture.app]
    try fixture.server.command.wait { try fixture.home.darkroom("uninstall", arguments).code == 0 }
  }

  /// Returns the doctor's detail about the server.
  private static func serverFinding(_ home: TestHome) throws -> String {
    let doctor = try home.json(try home.darkroom("doctor", ["--json"]).output)
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
