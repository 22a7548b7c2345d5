// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests that commands behave the same with a server, and that sessions end in order when a client or server
/// ends.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ServeCommandTests {
  @Test(arguments: TestUser.available)
  func `commands have the same output, exit code and record with and without a server`(user: TestUser) throws
  {
    let home = try TestHome(user)
    try home.installWithoutSwift()
    try home.write("input", "typed\n")
    try home.write(
      "slow.json",
      #"{ "name": "slow", "extends": "capture", "limits": { "wallClock": "1s" } }"#
    )
    let cases: [[String]] = [
      ["exec", "--app", TestHome.app, "--", "sh", "-c", "cat; env | sort; umask; ls /proc/self/fd | wc -l"],
      ["exec", "--app", TestHome.app, "--", "sh", "-c", "echo problem >&2; echo kept >/session/a; exit 7"],
      ["exec", "--app", TestHome.app, "--env", "A=b", "--", "sh", "-c", "test $A = b; kill -ABRT $$"],
      ["exec", "--app", TestHome.app, "--", "no-such-program"],
      ["exec", "--app", TestHome.app, "--policy", "slow.json", "--", "sleep", "9"],
      ["exec", "--app", "no app", "--", "true"], ["run", "--json", "\(TestHome.app).quits"],
      ["run", "\(TestHome.app).none"],
      ["control", "press", "--from", "lockscreen", "nothing"],
    ]
    let without = try cases.map { try observe($0, home) }
    let server = try RunningServer(home)
    let with = try cases.map { try observe($0, home) }
    for (one, other) in zip(without, with) { #expect(one == other) }
    home.program = home.programs.path(of: .small)
    let throughClient = try cases.map { try observe($0, home) }
    home.program = home.programs.darkroom
    for (one, other) in zip(without, throughClient) { #expect(one == other) }
    #expect(without.map(\.code) == [0, 7, 134, 127, 124, 64, 3, 66, 66])
    #expect(without[0].output.contains("typed"))
    try server.wait(for: "ended", 2 * cases.count)
    #expect(try server.count("accepted") == 2 * cases.count)
    // A command that opts out does not contact the server.
    home.variables = ["DARKROOM_SERVE=none"]
    #expect(try exec(home, ["true"]).code == 0)
    home.variables = []
    #expect(try home.darkroom("exec", ["--no-serve", "--app", TestHome.app, "--", "true"]).code == 0)
    #expect(try server.count("accepted") == 2 * cases.count)
    try server.stop()
  }

  @Test(arguments: TestUser.available)
  func `a client with a path relative to its own process runs without the server`(user: TestUser) throws {
    let home = try TestHome(user)
    let server = try RunningServer(home)
    // The client's working directory differs from the server's.
    let command = """
      cd '\(home.root)' && DARKROOM_ROOT=/proc/self/cwd exec '\(home.programs.darkroom)' exec --app \(TestHome.app) \
        -- sh -c 'echo x >/session/a'
      """
    let result = try home.start(["/bin/sh", "-c", command]).end()
    #expect(result.code == 0, "\(result.errors)")
    #expect(try home.names("apps/\(TestHome.app)/container/SessionContent").count == 1)
    #expect(try server.count("accepted") == 0)
    try server.stop()
  }

  /// The observable result of a command.
  private struct Observation: Equatable {
    var code: Int32
    var output: String
    var errors: String
    var record: [String: String]
  }

  private func observe(_ arguments: [String], _ home: TestHome) throws -> Observation {
    try? FileSystem.unlink(home.file("record.json"))
    let result = try home.darkroom(
      arguments[0],
      (arguments[0] == "control" ? [] : ["--record", "record.json"]) + arguments.dropFirst(),
      input: home.file("input")
    )
    var record: [String: String] = [:]
    var names: [String] = []
    if let bytes = try? FileSystem.contents(home.file("record.json")) {
      for member in try home.json(bytes).members ?? [] {
        // Members that differ between sessions.
        if ["sessionID", "startedAt", "endedAt", "steps"].contains(member.name) { continue }
        record[member.name] = withoutVariableParts(member.value.text(.compact))
      }
      names = try [home.json(bytes)["sessionID"]?.string].compactMap { $0 }
    }
    func told(_ text: String) -> String {
      names.reduce(withoutVariableParts(text)) { $0.replacing($1, with: "ID") }
    }
    return Observation(
      code: result.code,
      output: told(result.text),
      errors: told(result.errors),
      record: record
    )
  }

  /// Returns a text without the parts that differ between sessions.
  private func withoutVariableParts(_ text: String) -> String {
    text.replacing(/\d{4}-\d\d-\d\dT[0-9:.]+Z/, with: "TIME").replacing(/is UID \d+ outside/, with: "")
      .replacing(/"microseconds" ?: ?\d+/, with: "").replacing(
        /peak: \d+ bytes and \d+ processes/,
        with: ""
      )
      // The detail depends on previous sessions (`ServerNetworkReuseTests`).
      .replacing(
        /,\s*"detail" ?: ?"reused from an exited session, which could not change it"/,
        with: ""
      )
  }

  /// Runs a program in a new session.
  private func exec(_ home: TestHome, _ arguments: [String]) throws -> Command.Result {
    try home.darkroom("exec", ["--app", TestHome.app, "--"] + arguments)
  }

  @Test(arguments: TestUser.available, TestPrograms.Client.allCases)
  func `a session ends in order if its client is stopped or killed or the server is stopped`(
    user: TestUser,
    client: TestPrograms.Client
  ) throws {
    let home = try TestHome(user)
    let server = try RunningServer(home)
    var accepted = 0
    func start() throws -> Command {
      let arguments = ["--app", TestHome.app, "--", "sh", "-c", "echo kept >/session/a; exec sleep 100"]
      home.program = home.programs.path(of: client)
      defer { home.program = home.programs.darkroom }
      let command = try home.startDarkroom("exec", arguments)
      accepted += 1
      try command.wait { try self.hasContent(home) }
      return command
    }
    // The listed PID is the client's; a signal to it ends only its session.
    let told = try start()
    let listed = try home.darkroom("ps", ["--json"])
    let shown = try home.json(listed.output)["sessions"]?.elements?.first?["hostProcess"]?.integer
    #expect(shown == Int64(told.process))
    told.signal(SIGTERM)
    #expect(try told.end().code == 75)
    let killed = try start()
    killed.signal(SIGKILL)
    _ = try killed.end()
    try server.wait(for: "ended", 2)
    let last = try start()
    try server.stop()
    #expect(try last.end().code == 75)
    #expect(try server.count("abandoned") == 1)
    #expect(try server.count("accepted") == accepted)
    #expect(try home.names("apps/\(TestHome.app)/container/SessionContent").count == accepted)
  }

  @Test(arguments: TestPrograms.Client.allCases)
  func `a client that is started with nohup does not forward SIGHUP`(client: TestPrograms.Client) throws {
    let home = try TestHome(.available[0])
    let server = try RunningServer(home)
    home.program = home.programs.path(of: client)
    home.confinementPrefix = ["/usr/bin/nohup"]
    let program = ["sh", "-c", "echo kept >/session/a; sleep 3"]
    let command = try home.startDarkroom("exec", ["--app", TestHome.app, "--"] + program)
    try command.wait { try self.hasContent(home) }
    command.signal(SIGHUP)
    let result = try command.end()
    #expect(result.code == 0, "\(result.errors)")
    #expect(try server.count("accepted") == 1)
    try server.stop()
  }

  @Test func `the server releases the client's working directory after the command`() throws {
    let home = try TestHome(.available[0])
    let server = try RunningServer(home)
    try FileSystem.makeDirectory(home.file("elsewhere"))
    home.confinementPrefix = ["/usr/bin/env", "--chdir", home.file("elsewhere")]
    #expect(try exec(home, ["true"]).code == 0)
    #expect(try server.count("accepted") == 1)
    try server.wait(for: "ended")
    let tasks = "/proc/\(server.command.process)/task"
    for task in try FileSystem.names(in: tasks) {
      // The thread of the command may not have exited yet.
      try server.command.wait {
        (try? FileSystem.linkTarget("\(tasks)/\(task)/cwd")).map { $0 != home.file("elsewhere") } ?? true
      }
    }
    try server.stop()
  }

  @Test func `SIGINT stops the server although a client's program ignores it`() throws {
    let home = try TestHome(.available[0])
    let server = try RunningServer(home)
    let arguments = [
      "--app", TestHome.app, "--", "sh", "-c", "trap '' INT QUIT; echo kept >/session/a; sleep 100",
    ]
    let client = try home.startDarkroom("exec", arguments)
    try client.wait { try self.hasContent(home) }
    server.command.signal(SIGINT)
    #expect(try client.end().code == 75)
    #expect(try server.command.end().code == 0)
    try home.expectNothingLeft()
  }

  @Test(
    arguments: [
      (["--camera", "nowhere"], 66, "nowhere"), (["--camera", "-"], 66, "only once"),
      (["--camera", "/tmp"], 66, "/tmp"), (["--camera", "pattern", "--warm", "0"], 64, "--warm 0"),
      (["--warm-lifetime", "0s"], 64, "from 1s"), (["--warm-lifetime", "25h"], 64, "to 24h"),
    ] as [([String], Int32, String)]
  )
  func `rejects invalid prewarming options at the start`(arguments: [String], code: Int32, reason: String)
    throws
  {
    let home = try TestHome(.available[0])
    let result = try home.darkroom("serve", arguments)
    #expect(result.code == code && result.errors.contains(reason), "\(result.code): \(result.errors)")
    #expect(try FileSystem.status("\(home.root)/serve/control") == nil)
  }

  @Test func `the systemd unit serves the state root that it was generated for`() throws {
    let home = try TestHome(.available[0])
    let unit = try home.darkroom("serve", ["--unit"])
    #expect(unit.code == 0, "\(unit.errors)")
    #expect(unit.text.contains(" serve --root \"\(home.root)\"\n"), "\(unit.text)")
    // The server runs in a subgroup of its delegated control group, and does not restart while another one
    // runs.
    #expect(unit.text.contains("\nDelegateSubgroup=host\n"))
    #expect(unit.text.contains("\nRestartPreventExitStatus=64 73 75\n"))
  }

  @Test func `quotes hostile state root paths in the systemd unit`() throws {
    let home = try TestHome(.available[0])
    let root = "/x/ü %h $HOME \\ \"a\nExecStartPre=x\u{1}\u{7F}"
    let arguments = [home.programs.darkroom, "serve", "--unit", "--root", root]
    let unit = try home.start(arguments).end()
    #expect(unit.code == 0, "\(unit.errors)")
    let quoted = #""/x/ü %%h $$HOME \\ \"a\x0aExecStartPre=x\x01\x7f""#
    #expect(unit.text.contains(" serve --root \(quoted)\n"), "\(unit.text)")
    guard TestPrograms.has("systemd-analyze") else { return }
    try FileSystem.makeDirectory(home.file("units"), mode: 0o755)
    try home.giveOwnership(home.file("units"))
    let path = try home.write("units/darkroom.service", unit.text)
    let verified = try home.start(["systemd-analyze", "--man=no", "verify", path]).end()
    #expect(verified.code == 0, "\(verified.errors)")
  }

  /// Returns whether a session in the test home has written its file.
  private func hasContent(_ home: TestHome) throws -> Bool {
    try home.names("sessions").contains { name in
      (try? FileSystem.contents("\(home.root)/sessions/\(name)/content/a"))??.isEmpty == false
    }
  }

  @Test(arguments: TestUser.available)
  func `sessions end with a killed server, and recovery migrates them`(user: TestUser) throws {
    let home = try TestHome(user)
    let server = try RunningServer(home)
    let arguments = ["--app", TestHome.app, "--", "sh", "-c", "echo kept >/session/a; exec sleep 100"]
    let client = try home.startDarkroom("exec", arguments)
    try client.wait { try self.hasContent(home) }
    server.command.signal(SIGKILL)
    let result = try client.end()
    #expect(result.code == 71)
    #expect(result.errors.contains("the server (PID \(server.command.process)) terminated"))
    #expect(result.errors.contains("darkroom recover"))
    // The remaining socket has no listener.
    #expect(try FileSystem.status(RunningServer.socket(home))?.kind == .socket)
    _ = try server.command.end()
    // The kernel terminates the processes asynchronously.
    try home.waitForNoProcess()
    #expect(try home.darkroom("recover", []).code == 0)
    try home.expectNothingLeft()
    #expect(try home.names("apps/\(TestHome.app)/container/SessionContent").count == 1)
    #expect(try home.exec(["true"]).command.code == 0)
    // The next server reuses the path, and a second server is refused.
    let next = try RunningServer(home)
    let second = try home.darkroom("serve", [])
    #expect(second.code == 75)
    #expect(second.errors.contains("process \(next.command.process)"))
    #expect(try exec(home, ["true"]).code == 0)
    #expect(try next.count("accepted") == 1)
    try next.stop()
  }

  @Test(arguments: TestUser.available)
  func `runs a command without the server if the client's credentials or limits differ`(user: TestUser) throws
  {
    let home = try TestHome(user)
    let server = try RunningServer(home)
    for (arguments, reason) in [
      (["/usr/bin/setpriv", "--no-new-privs", "--"], "unlike no_new_privs"),
      (["/usr/bin/prlimit", "--nofile=1100:1100", "--"], "unlike the limit on descriptors"),
      (["/usr/bin/env", "DARKROOM_CGROUP=none"], "unlike DARKROOM_CGROUP"),
      (["/usr/bin/setarch", "-R"], "unlike the personality"),
      (["/usr/bin/choom", "-n", "1000", "--"], "unlike the OOM score adjustment"),
    ] {
      home.confinementPrefix = arguments
      let result = try exec(home, ["sh", "-c", "echo problem >&2"])
      #expect(result.code == 0)
      #expect(result.errors == "problem\n")
      #expect(try server.refusals().last == reason)
    }
    #expect(try server.count("accepted") == 0)
    // An environment entry without a name is ignored.
    home.confinementPrefix = ["/usr/bin/env", "=x"]
    #expect(try exec(home, ["true"]).code == 0)
    home.confinementPrefix = []
    try server.wait(for: "ended")
    #expect(try server.count("accepted") == 1)
    let doctor = try home.json(try home.darkroom("doctor", ["--json"]).output)
    let finding = doctor["machine"]?.elements?.first { $0["name"]?.string == "server" }
    let detail = finding?["detail"]?.string ?? ""
    let idle = "PID \(server.command.process), 0 commands; 0 of at most 4 prewarmed extensions,"
    #expect(detail.hasPrefix(idle), "\(detail)")
    try server.stop()
  }
}
