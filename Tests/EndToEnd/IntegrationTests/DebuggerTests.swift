// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom run --debug` with debuggers that attach to the sandboxed process.
@Suite(.timeLimit(.minutes(20)), .waiting) struct DebuggerTests {
  /// A session that waits for a debugger.
  private final class Waiting {
    let place: Place
    let host: Command
    /// The PID of the extension in the host's PID namespace.
    let process: Int32
    private let messages: String

    /// Starts a session. Only the misbehaving extension uses the orders.
    init(_ person: Person, _ name: String = "misbehaving", orders: String = "", options: [String] = []) throws
    {
      place = try Place(person)
      try place.installSmall()
      let context = try place.darkroom("context", ["set", Place.app, "\"\(orders)\""])
      try #require(context.code == 0, "\(context.errors)")
      let messages = place.file("\(place.nextCommand).err")
      self.messages = messages
      let words = ["--debug", "--grace", "300ms", "--record", place.file("record.json")] + options
      host = try place.startDarkroom("run", words + ["\(Place.app).\(name)"])
      try host.wait { try Self.said(messages).contains("ends the session") }
      let line = try #require(try Self.said(messages).firstMatch(of: /process ([0-9]+) waits for a debugger/))
      process = try #require(Int32(line.1))
    }

    private static func said(_ file: String) throws -> String {
      String(decoding: try FileSystem.contents(file) ?? [], as: UTF8.self)
    }

    /// Returns the standard error of the host so far.
    func said() throws -> String { try Self.said(messages) }

    /// Returns the files in the session directory.
    func content() throws -> [String] {
      try place.names("sessions").flatMap { try place.names("sessions/\($0)/content") }
    }

    /// Starts the tracer, which attaches and carries out the orders.
    func trace(_ orders: String...) throws -> Command {
      try place.start(["\(place.programs.directory)/bin/darkroom-tracer", "\(process)"] + orders)
    }

    /// Runs another session without a debugger until its launch deadline ends it.
    func passDeadline() throws {
      let record = place.file("deadline.json")
      _ = try place.darkroom("run", ["--record", record, "\(Place.app).silent"])
      let bytes = try #require(try FileSystem.contents(record))
      #expect(try place.json(bytes)["outcome"]?["kind"]?.string == "timedOut")
    }

    /// Waits for the end of the session.
    func end() throws -> (code: Int32, errors: String, record: JSONValue) {
      let result = try host.end()
      let record = try place.json(try #require(try FileSystem.contents(place.file("record.json"))))
      try place.expectNothingLeft()
      return (result.code, result.errors, record)
    }
  }

  @Test(arguments: Person.available)
  func `before a debugger has attached no instruction runs and no deadline passes, and then all goes on`(
    person: Person
  ) throws {
    let options = ["--camera", "pattern", "--watchdog", "1s"]
    let session = try Waiting(person, orders: "film=1 exit=7", options: options)
    try session.passDeadline()
    #expect(try session.content() == [])
    #expect(try !session.said().contains("film="))

    let tracer = try session.trace("seize", "where", "run=\(session.place.file("never"))").end()
    #expect(tracer.text.contains("at its first instruction"), "\(tracer.text)\(tracer.errors)")
    #expect(tracer.text.hasSuffix("ended\n"), "\(tracer.text)\(tracer.errors)")
    let (code, errors, record) = try session.end()
    #expect(code == 7, "\(errors)")
    #expect(record["outcome"] == ["kind": "completed", "exitCode": 7])
    #expect(record["debugging"]?.string == "attached")
    #expect(record["files"]?.elements?.first?["path"]?.string == "film.mov")
  }

  @Test(arguments: Person.available)
  func `no deadline passes while a debugger is attached, and each has its full time afterwards`(
    person: Person
  )
    throws
  {
    let session = try Waiting(person, "silent")
    let go = session.place.file("go")
    let tracer = try session.trace("seize", "run=\(go)", "detach")
    try session.host.wait { try session.said().contains("debugs the extension") }
    try session.passDeadline()
    try session.place.write("go", "")
    // The process still existed when the debugger detached.
    let traced = try tracer.end()
    #expect(traced.text.hasSuffix("detach: done\n"), "\(traced.text)\(traced.errors)")
    let (_, errors, record) = try session.end()
    #expect(errors.contains("nobody debugs the extension any more"), "\(errors)")
    #expect(record["outcome"]?["kind"]?.string == "timedOut", "\(errors)")
  }

  @Test(arguments: Person.available)
  func `after a debugger has let go, the extension runs to its end`(person: Person) throws {
    let session = try Waiting(person, orders: "film=1 exit=7")
    // The tracer holds the extension until the host has noticed it, and leaves it stopped.
    let tracer = try session.trace("seize", "hold=\(session.place.file("go"))", "detach")
    try session.host.wait { try session.said().contains("debugs the extension") }
    #expect(try session.content() == [])
    try session.place.write("go", "")
    #expect(try tracer.end().code == 0)
    #expect(try session.end().code == 7)
  }

  @Test(arguments: Person.available, [SIGINT, SIGTERM])
  func `a signal to the host ends a session that waits for a debugger`(person: Person, signal: Int32) throws {
    let session = try Waiting(person, orders: "film=1 exit=7")
    session.host.signal(signal)
    let (code, errors, record) = try session.end()
    #expect(code == 75, "\(errors)")
    #expect(record["outcome"] == ["kind": "dismissed", "by": "hostStopped"])
    #expect(record["debugging"]?.string == "requested")
    #expect(record["content"]?["delivered"] == false)
  }

  @Test(arguments: Person.available)
  func `a signal to the host ends a session that a debugger holds`(person: Person) throws {
    let session = try Waiting(person, orders: "film=1 exit=7")
    let tracer = try session.trace("seize", "hold=\(session.place.file("go"))", "run=never")
    try session.host.wait { try session.said().contains("debugs the extension") }
    session.host.signal(SIGTERM)
    // A killed process remains until its tracer waits for it.
    try session.host.wait { try session.said().contains("as soon as the debugger") }
    try session.place.write("go", "")
    #expect(try tracer.end().text.hasSuffix("ended\n"))
    let (_, errors, record) = try session.end()
    let outcome = record["outcome"]
    #expect(
      outcome == ["kind": "dismissed", "by": "hostStopped", "ending": ["kind": "outstayed"]],
      "\(errors)"
    )
    #expect(record["debugging"]?.string == "attached")
  }

  @Test(arguments: Person.available)
  func `without a debugger SIGCONT lets it run`(person: Person) throws {
    let session = try Waiting(person, orders: "film=1 exit=7", options: ["--json"])
    kill(session.process, SIGCONT)
    let result = try session.host.end()
    #expect(result.code == 7, "\(result.errors)")
    #expect(try session.place.json(result.output)["session"]?["debugging"]?.string == "requested")
    try session.place.expectNothingLeft()
  }

  @Test(arguments: Person.available)
  func `a host that dies takes what waits for a debugger with it, and the record still knows`(person: Person)
    throws
  {
    let session = try Waiting(person, orders: "film=1 exit=7")
    let id = try #require(try session.place.names("sessions").first)
    session.host.signal(SIGKILL)
    #expect(try session.host.end().code == 128 + SIGKILL)
    try session.place.waitForNoProcess()
    let recovery = try session.place.darkroom("recover", [])
    try #require(recovery.code == 0, "\(recovery.errors)")
    try session.place.expectNothingLeft()
    let path = "\(session.place.root)/apps/\(Place.app)/container/SessionRecords/\(id).json"
    let record = try session.place.json(try #require(try FileSystem.contents(path)))
    #expect(record["debugging"]?.string == "requested")
  }

  @Test(.enabled(if: Programs.has("gdb")), arguments: Person.available)
  func `gdb attaches with the line that is printed, and finds the program and its beginning`(person: Person)
    throws
  {
    let session = try Waiting(person, orders: "film=1 exit=7")
    let said = try session.said()
    let line = try #require(
      said.split(separator: "\n").first { $0.contains(" gdb ") }?.firstRange(of: "gdb ")
    )
    let command = said[line.lowerBound...].prefix { $0 != "\n" }
    // The host stops the process again until it has noticed the debugger.
    let script = "info symbol $pc\nwhile $_isvoid($_exitcode)\ncontinue\nend\n"
    let steps = try session.place.write("steps", script)
    let debugger = try session.place.start(["/bin/sh", "-c", "\(command) -nx -batch -x \(steps)"]).end()
    #expect(debugger.text.contains("_start in section .text"), "\(debugger.text)\(debugger.errors)")
    #expect(debugger.text.contains("exited with code 07"), "\(debugger.text)\(debugger.errors)")
    let (code, errors, record) = try session.end()
    #expect(code == 7, "\(errors)")
    #expect(record["debugging"]?.string == "attached")
  }

  @Test(arguments: [["control", "press"], ["exec"]])
  func `what nobody may stop has no such option`(command: [String]) throws {
    let place = try Place(Person.available[0])
    let result = try place.start([place.programs.darkroom] + command + ["--debug", "anything"]).end()
    #expect(result.code == 64, "\(result.errors)")
    #expect(result.errors.contains("--debug"), "\(result.errors)")
  }

  @Test(.enabled(if: Person.hasRoot))
  func `where nobody can attach it is refused with the mend, before anything is launched`() throws {
    let place = try Place(.root)
    try place.installSmall()
    let script = """
      mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama && \
      echo 3 >/proc/sys/kernel/yama/ptrace_scope && exec "$@"
      """
    place.confinement = ["/usr/bin/unshare", "-m", "--", "/bin/sh", "-c", script, "sh"]
    let result = try place.darkroom("run", ["--debug", "\(Place.app).misbehaving"])
    #expect(result.code == 71, "\(result.errors)")
    #expect(result.errors.contains("kernel.yama.ptrace_scope is 3"), "\(result.errors)")
    #expect(result.errors.contains("or run without --debug"), "\(result.errors)")
    #expect(try place.names("sessions") == [])
  }
}
