// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom run --debug` with debuggers that attach to the sandboxed process.
@Suite(.timeLimit(.minutes(20)), .waiting) struct DebuggerTests {
  /// A session that waits for a debugger.
  private final class WaitingSession {
    let home: TestHome
    let host: Command
    /// The PID of the extension in the host's PID namespace.
    let process: Int32
    private let errorsPath: String

    /// Starts a session. Only the misbehaving extension uses the orders.
    init(_ user: TestUser, _ name: String = "misbehaving", orders: String = "", options: [String] = []) throws
    {
      home = try TestHome(user)
      try home.installWithoutSwift()
      let context = try home.darkroom("context", ["set", TestHome.app, "\"\(orders)\""])
      try #require(context.code == 0, "\(context.errors)")
      let messages = home.file("\(home.nextOutputName).err")
      self.errorsPath = messages
      let arguments = ["--debug", "--grace", "300ms", "--record", home.file("record.json")] + options
      host = try home.startDarkroom("run", arguments + ["\(TestHome.app).\(name)"])
      try host.wait { try Self.printedText(messages).contains("then set breakpoints and continue;") }
      #expect(try Self.printedText(messages).contains("to end the session, press Ctrl-C"))
      let line = try #require(
        try Self.printedText(messages).firstMatch(of: /process ([0-9]+) waits for a debugger/)
      )
      process = try #require(Int32(line.1))
    }

    private static func printedText(_ file: String) throws -> String {
      String(decoding: try FileSystem.contents(file) ?? [], as: UTF8.self)
    }

    /// Returns the standard error of the host so far.
    func printedText() throws -> String { try Self.printedText(errorsPath) }

    /// Returns the files in the session directory.
    func content() throws -> [String] {
      try home.names("sessions").flatMap { try home.names("sessions/\($0)/content") }
    }

    /// Starts the tracer, which attaches and carries out the orders.
    func trace(_ orders: String...) throws -> Command {
      try home.start(["\(home.programs.directory)/bin/darkroom-tracer", "\(process)"] + orders)
    }

    /// Runs another session without a debugger until its launch deadline ends it.
    func exceedDeadline() throws {
      let record = home.file("deadline.json")
      _ = try home.darkroom("run", ["--record", record, "\(TestHome.app).silent"])
      let bytes = try #require(try FileSystem.contents(record))
      #expect(try home.json(bytes)["outcome"]?["kind"]?.string == "timedOut")
    }

    /// Waits for the end of the session.
    func end() throws -> (code: Int32, errors: String, record: JSONValue) {
      let result = try host.end()
      let record = try home.json(try #require(try FileSystem.contents(home.file("record.json"))))
      try home.expectNothingLeft()
      return (result.code, result.errors, record)
    }
  }

  @Test(arguments: TestUser.available)
  func `runs no instruction and no deadline before a debugger attaches`(
    user: TestUser
  ) throws {
    let options = ["--camera", "pattern", "--watchdog", "1s"]
    let session = try WaitingSession(user, orders: "film=1 exit=7", options: options)
    try session.exceedDeadline()
    #expect(try session.content() == [])
    #expect(try !session.printedText().contains("film="))

    let tracer = try session.trace("seize", "where", "run=\(session.home.file("never"))").end()
    #expect(tracer.text.contains("at its first instruction"), "\(tracer.text)\(tracer.errors)")
    #expect(tracer.text.hasSuffix("ended\n"), "\(tracer.text)\(tracer.errors)")
    let (code, errors, record) = try session.end()
    #expect(code == 7, "\(errors)")
    #expect(record["outcome"] == ["kind": "completed", "exitCode": 7])
    #expect(record["debugging"]?.string == "attached")
    #expect(record["files"]?.elements?.first?["path"]?.string == "film.mov")
  }

  @Test(arguments: TestUser.available)
  func `suspends deadlines while a debugger is attached, and restarts them in full on detach`(
    user: TestUser
  )
    throws
  {
    let session = try WaitingSession(user, "silent")
    let go = session.home.file("go")
    let tracer = try session.trace("seize", "run=\(go)", "detach")
    try session.host.wait { try session.printedText().contains("debugger attached") }
    try session.exceedDeadline()
    try session.home.write("go", "")
    // The process still existed when the debugger detached.
    let traced = try tracer.end()
    #expect(traced.text.hasSuffix("detach: done\n"), "\(traced.text)\(traced.errors)")
    let (_, errors, record) = try session.end()
    #expect(errors.contains("debugger detached; the deadlines start again"), "\(errors)")
    #expect(record["outcome"]?["kind"]?.string == "timedOut", "\(errors)")
  }

  @Test(arguments: TestUser.available)
  func `runs the extension to its exit after the debugger detaches`(user: TestUser) throws {
    let session = try WaitingSession(user, orders: "film=1 exit=7")
    // The tracer holds the extension until the host has noticed it, and leaves it stopped.
    let tracer = try session.trace("seize", "hold=\(session.home.file("go"))", "detach")
    try session.host.wait { try session.printedText().contains("debugger attached") }
    #expect(try session.content() == [])
    try session.home.write("go", "")
    #expect(try tracer.end().code == 0)
    #expect(try session.end().code == 7)
  }

  @Test(arguments: TestUser.available, [SIGINT, SIGTERM])
  func `a signal to the host ends a session that waits for a debugger`(user: TestUser, signal: Int32) throws {
    let session = try WaitingSession(user, orders: "film=1 exit=7")
    session.host.signal(signal)
    let (code, errors, record) = try session.end()
    #expect(code == 75, "\(errors)")
    #expect(record["outcome"] == ["kind": "dismissed", "by": "hostStopped"])
    #expect(record["debugging"]?.string == "requested")
    #expect(record["content"]?["delivered"] == false)
  }

  @Test(arguments: TestUser.available)
  func `a signal to the host ends a session that a debugger has stopped`(user: TestUser) throws {
    let session = try WaitingSession(user, orders: "film=1 exit=7")
    let tracer = try session.trace("seize", "hold=\(session.home.file("go"))", "run=never")
    try session.host.wait { try session.printedText().contains("debugger attached") }
    session.host.signal(SIGTERM)
    // A killed process remains until its tracer waits for it.
    try session.host.wait { try session.printedText().contains("its content is migrated when the debugger") }
    try session.home.write("go", "")
    #expect(try tracer.end().text.hasSuffix("ended\n"))
    let (_, errors, record) = try session.end()
    let outcome = record["outcome"]
    #expect(
      outcome == ["kind": "dismissed", "by": "hostStopped", "ending": ["kind": "timedOut"]],
      "\(errors)"
    )
    #expect(record["debugging"]?.string == "attached")
  }

  @Test(arguments: TestUser.available)
  func `SIGCONT resumes the extension without a debugger`(user: TestUser) throws {
    let session = try WaitingSession(user, orders: "film=1 exit=7", options: ["--json"])
    kill(session.process, SIGCONT)
    let result = try session.host.end()
    #expect(result.code == 7, "\(result.errors)")
    #expect(try session.home.json(result.output)["session"]?["debugging"]?.string == "requested")
    try session.home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `an extension that waits for a debugger exits with its host, and the record says so`(user: TestUser)
    throws
  {
    let session = try WaitingSession(user, orders: "film=1 exit=7")
    let id = try #require(try session.home.names("sessions").first)
    session.host.signal(SIGKILL)
    #expect(try session.host.end().code == 128 + SIGKILL)
    try session.home.waitForNoProcess()
    let recovery = try session.home.darkroom("recover", [])
    try #require(recovery.code == 0, "\(recovery.errors)")
    try session.home.expectNothingLeft()
    let path = "\(session.home.root)/apps/\(TestHome.app)/container/SessionRecords/\(id).json"
    let record = try session.home.json(try #require(try FileSystem.contents(path)))
    #expect(record["debugging"]?.string == "requested")
  }

  @Test(.enabled(if: TestPrograms.has("gdb")), arguments: TestUser.available)
  func `gdb attaches with the printed command and stops at the entry point`(user: TestUser)
    throws
  {
    let session = try WaitingSession(user, orders: "film=1 exit=7")
    let printedText = try session.printedText()
    let line = try #require(
      printedText.split(separator: "\n").first { $0.contains(" gdb ") }?.firstRange(of: "gdb ")
    )
    let command = printedText[line.lowerBound...].prefix { $0 != "\n" }
    // The host stops the process again until it has noticed the debugger.
    let script = "info symbol $pc\nwhile $_isvoid($_exitcode)\ncontinue\nend\n"
    let steps = try session.home.write("steps", script)
    let debugger = try session.home.start(["/bin/sh", "-c", "\(command) -nx -batch -x \(steps)"]).end()
    #expect(debugger.text.contains("_start in section .text"), "\(debugger.text)\(debugger.errors)")
    #expect(debugger.text.contains("exited with code 07"), "\(debugger.text)\(debugger.errors)")
    let (code, errors, record) = try session.end()
    #expect(code == 7, "\(errors)")
    #expect(record["debugging"]?.string == "attached")
  }

  @Test(arguments: [["control", "press"], ["exec"]])
  func `rejects --debug for commands without it`(command: [String]) throws {
    let home = try TestHome(TestUser.available[0])
    let result = try home.start([home.programs.darkroom] + command + ["--debug", "anything"]).end()
    #expect(result.code == 64, "\(result.errors)")
    #expect(result.errors.contains("--debug"), "\(result.errors)")
  }

  @Test(.enabled(if: TestUser.hasRoot))
  func `refuses --debug with a fix before the launch if ptrace is disabled`() throws {
    let home = try TestHome(.root)
    try home.installWithoutSwift()
    let script = """
      mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama && \
      echo 3 >/proc/sys/kernel/yama/ptrace_scope && exec "$@"
      """
    home.confinementPrefix = ["/usr/bin/unshare", "-m", "--", "/bin/sh", "-c", script, "sh"]
    let result = try home.darkroom("run", ["--debug", "\(TestHome.app).misbehaving"])
    #expect(result.code == 71, "\(result.errors)")
    #expect(result.errors.contains("kernel.yama.ptrace_scope is 3"), "\(result.errors)")
    #expect(result.errors.contains("or run without a debugger"), "\(result.errors)")
    #expect(try home.names("sessions") == [])
  }
}
