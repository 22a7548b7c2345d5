// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests that commands behave the same with a server, and that sessions end in order when a client or server
/// ends.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ServeTests {
  @Test(arguments: Person.available)
  func `a command prints, ends and records the same with a server and without`(person: Person) throws {
    let place = try Place(person)
    try place.installSmall()
    try place.write("input", "typed\n")
    try place.write(
      "slow.json",
      #"{ "name": "slow", "extends": "capture", "limits": { "wallClock": "1s" } }"#
    )
    let cases: [[String]] = [
      ["exec", "--app", Place.app, "--", "sh", "-c", "cat; env | sort; umask; ls /proc/self/fd | wc -l"],
      ["exec", "--app", Place.app, "--", "sh", "-c", "echo problem >&2; echo kept >/session/a; exit 7"],
      ["exec", "--app", Place.app, "--env", "A=b", "--", "sh", "-c", "test $A = b; kill -ABRT $$"],
      ["exec", "--app", Place.app, "--", "no-such-program"],
      ["exec", "--app", Place.app, "--policy", "slow.json", "--", "sleep", "9"],
      ["exec", "--app", "no app", "--", "true"], ["run", "--json", "\(Place.app).quits"],
      ["run", "\(Place.app).none"],
      ["control", "press", "--from", "lockscreen", "nothing"],
    ]
    let without = try cases.map { try told($0, place) }
    let server = try RunningServer(place)
    let with = try cases.map { try told($0, place) }
    for (one, other) in zip(without, with) { #expect(one == other) }
    #expect(without.map(\.code) == [0, 7, 134, 127, 124, 64, 3, 66, 66])
    #expect(without[0].output.contains("typed"))
    try server.wait(for: "ended", cases.count)
    #expect(try server.count("accepted") == cases.count)
    // A command that opts out does not contact the server.
    place.variables = ["DARKROOM_SERVE=none"]
    #expect(try exec(place, ["true"]).code == 0)
    place.variables = []
    #expect(try place.darkroom("exec", ["--no-serve", "--app", Place.app, "--", "true"]).code == 0)
    #expect(try server.count("accepted") == cases.count)
    try server.stop()
  }

  @Test(arguments: Person.available)
  func `a variable that names a place of the client's alone is not read by the server`(person: Person) throws
  {
    let place = try Place(person)
    let server = try RunningServer(place)
    // The client's working directory differs from the server's.
    let command = """
      cd '\(place.root)' && DARKROOM_ROOT=/proc/self/cwd exec '\(place.programs.darkroom)' exec --app \(Place.app) \
        -- sh -c 'echo x >/session/a'
      """
    let result = try place.start(["/bin/sh", "-c", command]).end()
    #expect(result.code == 0, "\(result.errors)")
    #expect(try place.names("apps/\(Place.app)/container/SessionContent").count == 1)
    #expect(try server.count("accepted") == 0)
    try server.stop()
  }

  /// The observable result of a command.
  private struct Told: Equatable {
    var code: Int32
    var output: String
    var errors: String
    var record: [String: String]
  }

  private func told(_ words: [String], _ place: Place) throws -> Told {
    try? FileSystem.unlink(place.file("record.json"))
    let result = try place.darkroom(
      words[0],
      (words[0] == "control" ? [] : ["--record", "record.json"]) + words.dropFirst(),
      input: place.file("input")
    )
    var record: [String: String] = [:]
    var names: [String] = []
    if let bytes = try? FileSystem.contents(place.file("record.json")) {
      for member in try place.json(bytes).members ?? [] {
        // Members that differ between sessions.
        if ["sessionID", "startedAt", "endedAt", "steps"].contains(member.name) { continue }
        record[member.name] = plain(member.value.text(.compact))
      }
      names = try [place.json(bytes)["sessionID"]?.string].compactMap { $0 }
    }
    func told(_ text: String) -> String { names.reduce(plain(text)) { $0.replacing($1, with: "ID") } }
    return Told(code: result.code, output: told(result.text), errors: told(result.errors), record: record)
  }

  /// Returns a text without the parts that differ between sessions.
  private func plain(_ text: String) -> String {
    text.replacing(/\d{4}-\d\d-\d\dT[0-9:.]+Z/, with: "TIME").replacing(/is \d+ outside/, with: "")
      .replacing(/"microseconds" ?: ?\d+/, with: "").replacing(
        /at most \d+ bytes and \d+ processes/,
        with: ""
      )
      // The detail depends on previous sessions (`ServedNetworkTests`).
      .replacing(
        /,\s*"detail" ?: ?"one that an ended session had, which could change nothing in it"/,
        with: ""
      )
  }

  /// Runs a program in a new session.
  private func exec(_ place: Place, _ words: [String]) throws -> Command.Result {
    try place.darkroom("exec", ["--app", Place.app, "--"] + words)
  }

  @Test(arguments: Person.available)
  func `a session ends in order when its client is stopped or killed, or its server stopped`(
    person: Person
  ) throws {
    let place = try Place(person)
    let server = try RunningServer(place)
    var accepted = 0
    func start() throws -> Command {
      let words = ["--app", Place.app, "--", "sh", "-c", "echo kept >/session/a; exec sleep 100"]
      let command = try place.startDarkroom("exec", words)
      accepted += 1
      try command.wait { try self.hasContent(place) }
      return command
    }
    // The listed PID is the client's; a signal to it ends only its session.
    let told = try start()
    let listed = try place.darkroom("ps", ["--json"])
    let shown = try place.json(listed.output)["sessions"]?.elements?.first?["hostProcess"]?.integer
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
    #expect(try place.names("apps/\(Place.app)/container/SessionContent").count == accepted)
  }

  @Test func `the directory of a client is nobody's when its command has ended`() throws {
    let place = try Place(.available[0])
    let server = try RunningServer(place)
    try FileSystem.makeDirectory(place.file("elsewhere"))
    place.confinement = ["/usr/bin/env", "--chdir", place.file("elsewhere")]
    #expect(try exec(place, ["true"]).code == 0)
    #expect(try server.count("accepted") == 1)
    try server.wait(for: "ended")
    let tasks = "/proc/\(server.command.process)/task"
    for task in try FileSystem.names(in: tasks) {
      // The thread of the command may not have exited yet.
      try server.command.wait {
        (try? FileSystem.linkTarget("\(tasks)/\(task)/cwd")).map { $0 != place.file("elsewhere") } ?? true
      }
    }
    try server.stop()
  }

  @Test func `keys at the server's terminal stop it, whatever its clients' programs do with theirs`() throws {
    let place = try Place(.available[0])
    let server = try RunningServer(place)
    let words = ["--app", Place.app, "--", "sh", "-c", "trap '' INT QUIT; echo kept >/session/a; sleep 100"]
    let client = try place.startDarkroom("exec", words)
    try client.wait { try self.hasContent(place) }
    server.command.signal(SIGINT)
    #expect(try client.end().code == 75)
    #expect(try server.command.end().code == 0)
    try place.expectNothingLeft()
  }

  @Test(
    arguments: [
      (["--camera", "nowhere"], 66, "nowhere"), (["--camera", "-"], 66, "only once"),
      (["--camera", "/tmp"], 66, "/tmp"), (["--camera", "pattern", "--warm", "0"], 64, "--warm 0"),
      (["--warm-lifetime", "0s"], 64, "from 1s"), (["--warm-lifetime", "25h"], 64, "to 24h"),
    ] as [([String], Int32, String)]
  )
  func `what could never wait is refused at the start`(words: [String], code: Int32, reason: String) throws {
    let place = try Place(.available[0])
    let result = try place.darkroom("serve", words)
    #expect(result.code == code && result.errors.contains(reason), "\(result.code): \(result.errors)")
    #expect(try FileSystem.status("\(place.root)/serve/control") == nil)
  }

  @Test func `the unit serves the state root that it was made for`() throws {
    let place = try Place(.available[0])
    let unit = try place.darkroom("serve", ["--unit"])
    #expect(unit.code == 0, "\(unit.errors)")
    #expect(unit.text.contains(" serve --root \"\(place.root)\"\n"), "\(unit.text)")
    // The server runs in a subgroup of its delegated control group, and does not restart while another one
    // runs.
    #expect(unit.text.contains("\nDelegateSubgroup=host\n"))
    #expect(unit.text.contains("\nRestartPreventExitStatus=64 73 75\n"))
  }

  @Test func `no state root adds anything to the unit`() throws {
    let place = try Place(.available[0])
    let root = "/x/ü %h $HOME \\ \"a\nExecStartPre=x\u{1}\u{7F}"
    let words = [place.programs.darkroom, "serve", "--unit", "--root", root]
    let unit = try place.start(words).end()
    #expect(unit.code == 0, "\(unit.errors)")
    let quoted = #""/x/ü %%h $$HOME \\ \"a\x0aExecStartPre=x\x01\x7f""#
    #expect(unit.text.contains(" serve --root \(quoted)\n"), "\(unit.text)")
    guard Programs.has("systemd-analyze") else { return }
    try FileSystem.makeDirectory(place.file("units"), mode: 0o755)
    try place.give(place.file("units"))
    let path = try place.write("units/darkroom.service", unit.text)
    let verified = try place.start(["systemd-analyze", "--man=no", "verify", path]).end()
    #expect(verified.code == 0, "\(verified.errors)")
  }

  /// Returns whether a session in the test home has written its file.
  private func hasContent(_ place: Place) throws -> Bool {
    try place.names("sessions").contains { name in
      (try? FileSystem.contents("\(place.root)/sessions/\(name)/content/a"))??.isEmpty == false
    }
  }

  @Test(arguments: Person.available)
  func `a server that dies takes its sessions with it, and recovery hands them over`(person: Person) throws {
    let place = try Place(person)
    let server = try RunningServer(place)
    let words = ["--app", Place.app, "--", "sh", "-c", "echo kept >/session/a; exec sleep 100"]
    let client = try place.startDarkroom("exec", words)
    try client.wait { try self.hasContent(place) }
    server.command.signal(SIGKILL)
    let result = try client.end()
    #expect(result.code == 71)
    #expect(result.errors.contains("process \(server.command.process), has died"))
    #expect(result.errors.contains("darkroom recover"))
    // The remaining socket has no listener.
    #expect(try FileSystem.status(RunningServer.socket(place))?.kind == .socket)
    _ = try server.command.end()
    // The kernel terminates the processes asynchronously.
    try place.waitForNoProcess()
    #expect(try place.darkroom("recover", []).code == 0)
    try place.expectNothingLeft()
    #expect(try place.names("apps/\(Place.app)/container/SessionContent").count == 1)
    #expect(try place.exec(["true"]).command.code == 0)
    // The next server reuses the path, and a second server is refused.
    let next = try RunningServer(place)
    let second = try place.darkroom("serve", [])
    #expect(second.code == 75)
    #expect(second.errors.contains("process \(next.command.process)"))
    #expect(try exec(place, ["true"]).code == 0)
    #expect(try next.count("accepted") == 1)
    try next.stop()
  }

  @Test(arguments: Person.available)
  func `a client that stands otherwise than the server does without it`(person: Person) throws {
    let place = try Place(person)
    let server = try RunningServer(place)
    for (words, reason) in [
      (["/usr/bin/setpriv", "--no-new-privs", "--"], "unlike no_new_privs"),
      (["/usr/bin/prlimit", "--nofile=1100:1100", "--"], "unlike the limit on descriptors"),
      (["/usr/bin/env", "DARKROOM_CGROUP=none"], "unlike DARKROOM_CGROUP"),
      (["/usr/bin/setarch", "-R"], "unlike the personality"),
      (["/usr/bin/choom", "-n", "1000", "--"], "unlike how soon it is ended when memory runs out"),
    ] {
      place.confinement = words
      let result = try exec(place, ["sh", "-c", "echo problem >&2"])
      #expect(result.code == 0)
      #expect(result.errors == "problem\n")
      #expect(try server.refusals().last == reason)
    }
    #expect(try server.count("accepted") == 0)
    // An environment entry without a name is ignored.
    place.confinement = ["/usr/bin/env", "=x"]
    #expect(try exec(place, ["true"]).code == 0)
    place.confinement = []
    try server.wait(for: "ended")
    #expect(try server.count("accepted") == 1)
    let doctor = try place.json(try place.darkroom("doctor", ["--json"]).output)
    let finding = doctor["machine"]?.elements?.first { $0["name"]?.string == "server" }
    let detail = finding?["detail"]?.string ?? ""
    let idle = "process \(server.command.process), 0 commands; 0 of at most 4 extensions wait,"
    #expect(detail.hasPrefix(idle), "\(detail)")
    try server.stop()
  }
}
