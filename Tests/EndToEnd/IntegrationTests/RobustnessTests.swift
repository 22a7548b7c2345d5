// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of killed hosts, full disks and many sessions in a row.
@Suite(.timeLimit(.minutes(20)), .waiting) struct RobustnessTests {
  /// A program that reports its start, has a child process, and does not exit.
  private static let lastingProgram = [
    "sh", "-c", "echo captured >/session/note; sleep 600 & echo ready; sleep 600",
  ]

  /// Starts a session that lasts, and waits until its program runs.
  private func startLasting(_ home: TestHome) throws -> Command {
    let host = try home.startDarkroom("exec", ["--app", TestHome.app, "--"] + Self.lastingProgram)
    try host.wait {
      try home.names("sessions").contains { session in
        (try? FileSystem.status("\(home.root)/sessions/\(session)/content/note")) != nil
      }
    }
    // Control: the check detects processes of a running session.
    #expect(try home.processes().count >= 3)
    return host
  }

  @Test(arguments: TestUser.available)
  func `all processes exit with a killed host, and recovery migrates the content`(user: TestUser) throws {
    let home = try TestHome(user)
    let host = try startLasting(home)
    host.signal(SIGKILL)
    #expect(try host.end().code == 137)
    try home.waitForNoProcess()
    #expect(try home.names("sessions").count == 1)

    let recovery = try home.darkroom("recover", [])
    #expect(recovery.code == 0, "\(recovery.errors)")
    let content = "apps/\(TestHome.app)/container/SessionContent"
    let sessions = try home.names(content)
    #expect(sessions.count == 1)
    let note = try FileSystem.contents("\(home.root)/\(content)/\(sessions.first ?? "")/note")
    #expect(note == Array("captured\n".utf8))
    let record = try home.json(
      try #require(
        try FileSystem.contents(
          "\(home.root)/apps/\(TestHome.app)/container/SessionRecords/\(sessions.first ?? "").json"
        )
      )
    )
    #expect(record["outcome"] == ["kind": "dismissed", "by": "hostDied"])
    try home.expectNothingLeft()
    #expect(try home.darkroom("recover", []).code == 0)
    #expect(try home.names(content) == sessions)
  }

  @Test(arguments: TestUser.available)
  func `recovery terminates processes of a killed host before it migrates content`(user: TestUser) throws {
    let home = try TestHome(user)
    let shell = try StoppedInit.runAndKillHost(in: home, ["--"] + Self.lastingProgram) {
      try home.names("sessions").contains { session in
        (try? FileSystem.status("\(home.root)/sessions/\(session)/content/note")) != nil
      }
    }
    // The stopped init has not been notified of the host's death, and the extension continues.
    #expect(try TestTimeout.waitUntil { try home.processes().count >= 3 })
    let recovery = try home.darkroom("recover", [])
    #expect(recovery.code == 0, "\(recovery.errors)")
    #expect(try home.processes() == [])
    #expect(try home.names("apps/\(TestHome.app)/container/SessionContent").count == 1)
    try home.expectNothingLeft()
    withExtendedLifetime(shell) {}
  }

  @Test func `terminates leftover processes before it unmounts their files`() throws {
    let home = try TestHome(TestUser.available[0])
    let script = """
      i=0; while [ $i -lt 12 ]; do
        (while [ -d /usr/bin ]; do :; done; echo the files were removed) & i=$((i + 1)); done; echo started
      """
    for _ in 0..<8 {
      let session = try home.exec(["sh", "-c", script])
      #expect(session.command.text == "started\n", "\(session.command.errors)")
    }
  }

  @Test(arguments: TestUser.available, [SIGTERM, SIGHUP])
  func `a host that receives SIGTERM or SIGHUP dismisses the extension in order`(
    user: TestUser,
    signal: Int32
  ) throws {
    let home = try TestHome(user)
    let host = try startLasting(home)
    host.signal(signal)
    let result = try host.end()
    #expect(result.code == 75, "\(result.errors)")
    #expect(try home.names("apps/\(TestHome.app)/container/SessionContent").count == 1)
    try home.expectNothingLeft()
  }

  @Test func `a host that is started with nohup continues its session after SIGHUP`() throws {
    let home = try TestHome(.available[0])
    home.confinementPrefix = ["/usr/bin/nohup"]
    let program = ["sh", "-c", "echo captured >/session/note; sleep 3"]
    let host = try home.startDarkroom("exec", ["--app", TestHome.app, "--"] + program)
    try host.wait {
      try home.names("sessions").contains { session in
        (try? FileSystem.status("\(home.root)/sessions/\(session)/content/note")) != nil
      }
    }
    host.signal(SIGHUP)
    let result = try host.end()
    #expect(result.code == 0, "\(result.errors)")
    try home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `a signal stops a host that waits for a camera`(user: TestUser) throws {
    let home = try TestHome(user)
    let silent = home.file("silent")
    #expect(mkfifo(silent, 0o666) == 0)
    chmod(silent, 0o666)
    // An open writer makes the host wait for bytes instead of reading end-of-file.
    let writer = try FileSystem.open(silent, .readWrite)
    let host = try home.startDarkroom("exec", ["--app", TestHome.app, "--camera", silent, "--", "true"])
    try host.wait { try !home.names("sessions").isEmpty }
    host.signal(SIGTERM)
    let result = try host.end()
    _ = writer
    #expect(result.code == 75, "\(result.errors)")
    #expect(result.errors.contains("stopped before \(silent) delivered a frame; nothing was launched"))
    try home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `recovery and other sessions leave a running session alone`(user: TestUser) throws {
    let home = try TestHome(user)
    let host = try startLasting(home)
    #expect(try home.darkroom("recover", []).code == 0)
    #expect(try home.names("sessions").count == 1)
    #expect(try home.darkroom("exec", ["--app", TestHome.app, "--", "true"]).code == 0)
    #expect(try home.processes().count >= 3)
    host.signal(SIGTERM)
    #expect(try host.end().code == 75)
    try home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `refuses a changed executable with both digests`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    try home.install()
    let bundles = "\(home.root)/apps/\(TestHome.app)/bundle"
    let generation = try #require(try FileSystem.names(in: bundles).first { !$0.hasPrefix(".") })
    let program = "\(bundles)/\(generation)/Extensions/Notes/notes.sh"
    let before = try sha256(program)
    try runShell("chmod u+w '\(program)'; echo '# changed' >>'\(program)'")
    let after = try sha256(program)
    let result = try home.darkroom("run", ["\(TestHome.app).notes"])
    #expect(result.code == 65, "\(result.errors)")
    #expect(result.errors.contains(before) && result.errors.contains(after), "\(result.errors)")
    try home.expectNothingLeft()
  }

  /// Returns the digest of a file, computed by sha256sum(1).
  private func sha256(_ path: String) throws -> String {
    let home = try TestHome(TestUser.available[0])
    let result = try home.start(["/usr/bin/sha256sum", path]).end()
    return String(result.text.prefix(64))
  }

  @Test(arguments: TestUser.available)
  func `reads a policy from standard input and reports positions in it`(user: TestUser) throws {
    let home = try TestHome(user)
    let good = try home.write("good", #"{"name":"piped","extends":"capture"}"#)
    let same = try home.darkroom("policy", ["diff", "capture", "-"], input: good)
    #expect(same.code == 0 && same.text.contains("NEW is -, a policy."), "\(same.errors)")
    let wrong = try home.write("wrong", #"{"name":"piped","syscals":{}}"#)
    let refused = try home.darkroom("policy", ["verify", "-"], input: wrong)
    #expect(refused.code == 65 && refused.errors.contains("/dev/stdin:1:17: "), "\(refused.errors)")
    let twice = try home.darkroom("policy", ["diff", "-", "-"], input: good)
    #expect(twice.code == 64 && twice.errors.contains("only once"), "\(twice.errors)")
    // The certificate is about the policy that was proved, because a pipe can be read only once.
    let certificate = home.file("certificate.json")
    let words = ["verify", "-", "--certificate", certificate]
    let certified = try home.darkroom("policy", words, input: good)
    #expect(certified.code == 0, "\(certified.errors)")
    #expect(try FileSystem.status(certificate) != nil)
  }

  @Test(arguments: TestUser.available)
  func `rejects missing cameras and extensions by name`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install()
    let camera = try home.darkroom("run", ["--camera", "/nowhere.jpg", "\(TestHome.app).snapshot"])
    #expect(camera.code == 66 && camera.errors.contains("/nowhere.jpg"), "\(camera.errors)")
    let name = try home.darkroom("run", ["\(TestHome.app).snapshto"])
    #expect(name.code == 66 && name.errors.contains("snapshto"), "\(name.errors)")
    try home.expectNothingLeft()
  }

  @Test func `200 sessions in one host leave no descriptor, memory, process or file behind`() throws {
    let count = Int(CurrentProcess.environment("DARKROOM_SESSIONS") ?? "") ?? 200
    let home = try TestHome(TestUser.available[0])
    // A private mount namespace without the small disks of other tests, whose removal would change the
    // result.
    let unmountScript = """
      awk '$5 ~ "^/(var/)?tmp/" { print $5 }' /proc/self/mountinfo | tac | xargs -r umount -l 2>/dev/null; exec "$0" "$@"
      """
    let isRoot = CurrentProcess.effectiveUserID == 0
    let namespacePrefix = isRoot ? ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", unmountScript] : []
    let loop = try home.start(
      namespacePrefix + ["\(home.programs.directory)/bin/darkroom-session-loop", home.root, "\(count)"]
    )
    let result = try loop.end(seconds: max(60, count / 4))
    #expect(result.code == 0, "\(result.errors)")
    let resources = result.text.split(separator: "\n")
    #expect(resources.count == 2)
    #expect(resources.first == resources.last)
    #expect(result.text.contains("no child"))
    #expect(try home.names("apps/org.example.loop/container/SessionContent").count == count)
    try home.expectNothingLeft()
  }
}

/// Tests of full and read-only state roots, which only root can set up.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestUser.hasRoot), .waiting) struct FullDiskTests {
  /// Runs a test on a small tmpfs.
  private func onTmpfs(_ user: TestUser, _ options: String, _ body: (TestHome) throws -> Void) throws {
    let mount = "/tmp/darkroom-small-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(mount)
    try runShell("mount -t tmpfs -o '\(options),mode=0777' small '\(mount)'")
    defer { try? runShell("umount -l '\(mount)' && rmdir '\(mount)'") }
    try body(try TestHome(user, root: "\(mount)/state"))
  }

  @Test(arguments: TestUser.available)
  func `reports a full disk, and migrates what was captured before`(user: TestUser) throws {
    try onTmpfs(user, "size=2m") { home in
      let script = "echo first >/session/first; cat /dev/zero >/session/rest"
      let session = try home.exec(["sh", "-c", script])
      #expect(session.command.errors.contains("No space left"), "\(session.command.errors)")
      #expect(session.command.code == 1)
      #expect(session.files == ["first", "rest"])
      #expect(try session.text("first") == "first\n")
    }
  }

  @Test(arguments: TestUser.available)
  func `reports a disk that is full before the launch, and leaves nothing behind`(user: TestUser) throws {
    try onTmpfs(user, "size=4m") { home in
      try runShell("cat /dev/zero >'\(FileSystem.directoryName(home.root))/filler' || true")
      let result = try home.darkroom("exec", ["--app", TestHome.app, "--", "true"])
      #expect(result.code == 73, "\(result.errors)")
      #expect(result.errors.contains(home.root) && result.errors.contains("space"), "\(result.errors)")
      try runShell("rm '\(FileSystem.directoryName(home.root))/filler'")
      #expect(try home.exec(["sh", "-c", "echo x >/session/x"]).files == ["x"])
    }
  }

  @Test(arguments: TestUser.available)
  func `an installation on a full disk leaves no app`(user: TestUser) throws {
    try onTmpfs(user, "size=2m") { home in
      let result = try home.darkroom("install", [home.programs.bundle])
      #expect(result.code == 73, "\(result.errors)")
      #expect(result.errors.contains("space"), "\(result.errors)")
      #expect(try home.darkroom("list", []).text.contains(TestHome.app) == false)
      try home.expectNothingLeft()
    }
  }

  @Test(arguments: TestUser.available)
  func `reports a read-only state root`(user: TestUser) throws {
    try onTmpfs(user, "size=4m") { home in
      #expect(try home.exec(["true"]).command.code == 0)
      let mount = FileSystem.directoryName(home.root)
      // The kernel removes the mounts of a session shortly after its last process.
      let remount = "mount -o remount,ro '\(mount)'"
      try runShell("for turn in $(seq 100); do \(remount) && exit 0; sleep 0.1; done; exit 1")
      let result = try home.darkroom("exec", ["--app", TestHome.app, "--", "true"])
      #expect(result.code == 73, "\(result.errors)")
      #expect(result.errors.contains(home.root) && result.errors.contains("ead-only"), "\(result.errors)")
      // Read-only commands do not write.
      #expect(try home.darkroom("ps", []).code == 0)
    }
  }
}
