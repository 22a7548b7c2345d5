// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of killed hosts, full disks and many sessions in a row.
@Suite(.timeLimit(.minutes(20)), .waiting) struct RobustnessTests {
  /// A program that reports its start, has a child process, and does not exit.
  private static let staying = [
    "sh", "-c", "echo captured >/session/note; sleep 600 & echo ready; sleep 600",
  ]

  /// Starts a session that lasts, and waits until its program runs.
  private func stay(_ place: Place) throws -> Command {
    let host = try place.startDarkroom("exec", ["--app", Place.app, "--"] + Self.staying)
    try host.wait {
      try place.names("sessions").contains { session in
        (try? FileSystem.status("\(place.root)/sessions/\(session)/content/note")) != nil
      }
    }
    // Control: the check detects processes of a running session.
    #expect(try place.processes().count >= 3)
    return host
  }

  @Test(arguments: Person.available)
  func `a host that is killed takes every process with it, and recovery hands over`(person: Person) throws {
    let place = try Place(person)
    let host = try stay(place)
    host.signal(SIGKILL)
    #expect(try host.end().code == 137)
    try place.waitForNoProcess()
    #expect(try place.names("sessions").count == 1)

    let recovery = try place.darkroom("recover", [])
    #expect(recovery.code == 0, "\(recovery.errors)")
    let content = "apps/\(Place.app)/container/SessionContent"
    let sessions = try place.names(content)
    #expect(sessions.count == 1)
    let note = try FileSystem.contents("\(place.root)/\(content)/\(sessions.first ?? "")/note")
    #expect(note == Array("captured\n".utf8))
    let record = try place.json(
      try #require(
        try FileSystem.contents(
          "\(place.root)/apps/\(Place.app)/container/SessionRecords/\(sessions.first ?? "").json"
        )
      )
    )
    #expect(record["outcome"] == ["kind": "dismissed", "by": "hostDied"])
    try place.expectNothingLeft()
    #expect(try place.darkroom("recover", []).code == 0)
    #expect(try place.names(content) == sessions)
  }

  @Test(arguments: Person.available)
  func `what outlives a killed host is ended before anything is handed over`(person: Person) throws {
    let place = try Place(person)
    let shell = try StoppedInit.abandon(in: place, ["--"] + Self.staying) {
      try place.names("sessions").contains { session in
        (try? FileSystem.status("\(place.root)/sessions/\(session)/content/note")) != nil
      }
    }
    // The stopped init has not been notified of the host's death, and the extension continues.
    #expect(try place.processes().count >= 3)
    let recovery = try place.darkroom("recover", [])
    #expect(recovery.code == 0, "\(recovery.errors)")
    #expect(try place.processes() == [])
    #expect(try place.names("apps/\(Place.app)/container/SessionContent").count == 1)
    try place.expectNothingLeft()
    withExtendedLifetime(shell) {}
  }

  @Test func `what an extension leaves is ended before its files are taken away`() throws {
    let place = try Place(Person.available[0])
    let script = """
      i=0; while [ $i -lt 12 ]; do
        (while [ -d /usr/bin ]; do :; done; echo its files are gone) & i=$((i + 1)); done; echo begun
      """
    for _ in 0..<8 {
      let session = try place.exec(["sh", "-c", script])
      #expect(session.command.text == "begun\n", "\(session.command.errors)")
    }
  }

  @Test(arguments: Person.available, [SIGTERM, SIGHUP])
  func `a host that is told to stop dismisses the extension in order`(person: Person, signal: Int32) throws {
    let place = try Place(person)
    let host = try stay(place)
    host.signal(signal)
    let result = try host.end()
    #expect(result.code == 75, "\(result.errors)")
    #expect(try place.names("apps/\(Place.app)/container/SessionContent").count == 1)
    try place.expectNothingLeft()
  }

  @Test(arguments: Person.available)
  func `a host that waits for a camera can be told to stop`(person: Person) throws {
    let place = try Place(person)
    let silent = place.file("silent")
    #expect(mkfifo(silent, 0o666) == 0)
    chmod(silent, 0o666)
    // An open writer makes the host wait for bytes instead of reading end-of-file.
    let writer = try FileSystem.open(silent, .readWrite)
    let host = try place.startDarkroom("exec", ["--app", Place.app, "--camera", silent, "--", "true"])
    try host.wait { try !place.names("sessions").isEmpty }
    host.signal(SIGTERM)
    let result = try host.end()
    _ = writer
    #expect(result.code == 75, "\(result.errors)")
    #expect(result.errors.contains("stopped before \(silent) gave a frame; nothing was launched"))
    try place.expectNothingLeft()
  }

  @Test(arguments: Person.available)
  func `a session that runs is left alone by recovery and by another session`(person: Person) throws {
    let place = try Place(person)
    let host = try stay(place)
    #expect(try place.darkroom("recover", []).code == 0)
    #expect(try place.names("sessions").count == 1)
    #expect(try place.darkroom("exec", ["--app", Place.app, "--", "true"]).code == 0)
    #expect(try place.processes().count >= 3)
    host.signal(SIGTERM)
    #expect(try host.end().code == 75)
    try place.expectNothingLeft()
  }

  @Test(arguments: Person.available)
  func `an executable that was changed after its installation is refused with both digests`(person: Person)
    throws
  {
    let place = try Place(person)
    try place.install()
    let bundles = "\(place.root)/apps/\(Place.app)/bundle"
    let generation = try #require(try FileSystem.names(in: bundles).first { !$0.hasPrefix(".") })
    let program = "\(bundles)/\(generation)/Extensions/Notes/notes.sh"
    let before = try sum(program)
    try runShell("chmod u+w '\(program)'; echo '# changed' >>'\(program)'")
    let after = try sum(program)
    let result = try place.darkroom("run", ["\(Place.app).notes"])
    #expect(result.code == 65, "\(result.errors)")
    #expect(result.errors.contains(before) && result.errors.contains(after), "\(result.errors)")
    try place.expectNothingLeft()
  }

  /// Returns the digest of a file, computed by sha256sum(1).
  private func sum(_ path: String) throws -> String {
    let place = try Place(Person.available[0])
    let result = try place.start(["/usr/bin/sha256sum", path]).end()
    return String(result.text.prefix(64))
  }

  @Test(arguments: Person.available)
  func `a policy can come by standard input, and has its places there`(person: Person) throws {
    let place = try Place(person)
    let good = try place.write("good", #"{"name":"piped","extends":"capture"}"#)
    let same = try place.darkroom("policy", ["diff", "capture", "-"], input: good)
    #expect(same.code == 0 && same.text.contains("NEW is -, a policy."), "\(same.errors)")
    let wrong = try place.write("wrong", #"{"name":"piped","syscals":{}}"#)
    let refused = try place.darkroom("policy", ["verify", "-"], input: wrong)
    #expect(refused.code == 65 && refused.errors.contains("/dev/stdin:1:17: "), "\(refused.errors)")
    let twice = try place.darkroom("policy", ["diff", "-", "-"], input: good)
    #expect(twice.code == 64 && twice.errors.contains("only once"), "\(twice.errors)")
  }

  @Test(arguments: Person.available)
  func `a camera that is not there, and an extension that is not there, are named`(person: Person) throws {
    let place = try Place(person)
    try place.install()
    let camera = try place.darkroom("run", ["--camera", "/nowhere.jpg", "\(Place.app).snapshot"])
    #expect(camera.code == 66 && camera.errors.contains("/nowhere.jpg"), "\(camera.errors)")
    let name = try place.darkroom("run", ["\(Place.app).snapshto"])
    #expect(name.code == 66 && name.errors.contains("snapshto"), "\(name.errors)")
    try place.expectNothingLeft()
  }

  @Test func `200 sessions in one host leave nothing, in the host neither`() throws {
    let count = Int(CurrentProcess.environment("DARKROOM_SESSIONS") ?? "") ?? 200
    let place = try Place(Person.available[0])
    // A private mount namespace without the small disks of other tests, whose removal would change the
    // result.
    let leaving = """
      awk '$5 ~ "^/(var/)?tmp/" { print $5 }' /proc/self/mountinfo | tac | xargs -r umount -l 2>/dev/null; exec "$0" "$@"
      """
    let isRoot = CurrentProcess.effectiveUserID == 0
    let alone = isRoot ? ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", leaving] : []
    let loop = try place.start(
      alone + ["\(place.programs.directory)/bin/darkroom-session-loop", place.root, "\(count)"]
    )
    let result = try loop.end(seconds: max(60, count / 4))
    #expect(result.code == 0, "\(result.errors)")
    let holdings = result.text.split(separator: "\n")
    #expect(holdings.count == 2)
    #expect(holdings.first == holdings.last)
    #expect(result.text.contains("no child"))
    #expect(try place.names("apps/org.example.loop/container/SessionContent").count == count)
    try place.expectNothingLeft()
  }
}

/// Tests of full and read-only state roots, which only root can set up.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Person.hasRoot), .waiting) struct FullDiskTests {
  /// Runs a test on a small tmpfs.
  private func onTmpfs(_ person: Person, _ options: String, _ body: (Place) throws -> Void) throws {
    let mount = "/tmp/darkroom-small-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(mount)
    try runShell("mount -t tmpfs -o '\(options),mode=0777' small '\(mount)'")
    defer { try? runShell("umount -l '\(mount)' && rmdir '\(mount)'") }
    try body(try Place(person, root: "\(mount)/state"))
  }

  @Test(arguments: Person.available)
  func `a full disk is told of, and what was captured before is handed over`(person: Person) throws {
    try onTmpfs(person, "size=2m") { place in
      let script = "echo first >/session/first; cat /dev/zero >/session/rest"
      let session = try place.exec(["sh", "-c", script])
      #expect(session.command.errors.contains("No space left"), "\(session.command.errors)")
      #expect(session.command.code == 1)
      #expect(session.files == ["first", "rest"])
      #expect(try session.text("first") == "first\n")
    }
  }

  @Test(arguments: Person.available)
  func `a disk that is full from the beginning is named, and nothing is half done`(person: Person) throws {
    try onTmpfs(person, "size=4m") { place in
      try runShell("cat /dev/zero >'\(FileSystem.directoryName(place.root))/filler' || true")
      let result = try place.darkroom("exec", ["--app", Place.app, "--", "true"])
      #expect(result.code == 73, "\(result.errors)")
      #expect(result.errors.contains(place.root) && result.errors.contains("space"), "\(result.errors)")
      try runShell("rm '\(FileSystem.directoryName(place.root))/filler'")
      #expect(try place.exec(["sh", "-c", "echo x >/session/x"]).files == ["x"])
    }
  }

  @Test(arguments: Person.available)
  func `an installation that finds the disk full leaves no app`(person: Person) throws {
    try onTmpfs(person, "size=2m") { place in
      let result = try place.darkroom("install", [place.programs.bundle])
      #expect(result.code == 73, "\(result.errors)")
      #expect(result.errors.contains("space"), "\(result.errors)")
      #expect(try place.darkroom("list", []).text.contains(Place.app) == false)
      try place.expectNothingLeft()
    }
  }

  @Test(arguments: Person.available)
  func `a read-only state root is named`(person: Person) throws {
    try onTmpfs(person, "size=4m") { place in
      #expect(try place.exec(["true"]).command.code == 0)
      let mount = FileSystem.directoryName(place.root)
      // The kernel removes the mounts of a session shortly after its last process.
      let remount = "mount -o remount,ro '\(mount)'"
      try runShell("for turn in $(seq 100); do \(remount) && exit 0; sleep 0.1; done; exit 1")
      let result = try place.darkroom("exec", ["--app", Place.app, "--", "true"])
      #expect(result.code == 73, "\(result.errors)")
      #expect(result.errors.contains(place.root) && result.errors.contains("ead-only"), "\(result.errors)")
      // Read-only commands do not write.
      #expect(try place.darkroom("ps", []).code == 0)
    }
  }
}
