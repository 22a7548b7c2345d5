// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of a server with hostile clients, and of clients with an unexpected server.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestPrograms.has("python3")), .waiting)
struct HostileClientTests {
  /// The beginning of the Python scripts.
  private static let prologue = """
    import json, os, socket, sys, time
    place = sys.argv[1]
    def connect():
        made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        made.settimeout(20)
        made.connect(place)
        return made
    def ask(text, descriptors=[]):
        made = connect()
        try: socket.send_fds(made, [text.encode() if isinstance(text, str) else text], descriptors)
        except BrokenPipeError: pass
        try: return json.loads(made.recv(65536) or b"{}")
        except ConnectionResetError: return {}
    root = ["--root", os.path.dirname(os.path.dirname(place))]
    def call(words=["exec", "--app", "org.example.x", "--", "true"], version=sys.argv[2], terminal="none"):
        return json.dumps({"darkroom": version, "request": "run", "words": words[:1] + root + words[1:], "environment": {"HOME": "/"},
            "mask": 18, "terminal": terminal})
    here = os.open(".", os.O_PATH)
    streams = [here, 0, 1, 2]

    """

  private func python(_ home: TestHome, _ script: String, commandPrefix: [String] = []) throws
    -> Command.Result
  {
    let path = try home.write("hostile.py", Self.prologue + script, mode: 0o755)
    let version = try version(home)
    let arguments = ["/usr/bin/python3", path, RunningServer.socket(home), version]
    return try home.start(commandPrefix + arguments).end()
  }

  private func version(_ home: TestHome) throws -> String {
    let arguments = try home.start([home.programs.darkroom, "--version"]).end().text.split(separator: " ")
    return try #require(arguments.last).filter { !$0.isNewline }
  }

  @Test(arguments: TestUser.available)
  func `rejects malformed requests and too many clients, and serves the next client`(user: TestUser) throws {
    let home = try TestHome(user)
    let server = try RunningServer(home)
    let result = try python(
      home,
      """
      def refused(reply): return reply.get("reason")
      for text in ["{", "[" * 60000, "\\0" * 1000, "{}", '{"darkroom":1}', call()[:50]]:
          assert refused(ask(text)) == "malformed", text[:20]
      assert refused(ask(call(version="0.0.1"))) == "version"
      assert refused(ask(call(), [])) == "malformed"
      assert refused(ask(call(), streams + [0])) == "malformed"
      assert refused(ask(call(), streams[:3])) == "malformed"
      assert refused(ask(call(terminal="given"), streams)) == "malformed"
      assert refused(ask(call(["attack"]), streams)) == "notServed"
      assert refused(ask(call(["run", "--help"]), streams)) == "notServed"
      # The working directory is not a directory; the thread of the command detects this, not the accepting thread.
      assert refused(ask(call(), [0, 0, 1, 2])) == "server"
      # A malformed message during a command terminates the command.
      made = connect()
      words = ["exec", "--app", "org.example.x", "--", "sleep", "100"]
      socket.send_fds(made, [call(words).encode()], streams)
      assert json.loads(made.recv(4096))["reply"] == "accepted"
      made.send(b'{"command":"begin"}')
      made.send(b"{")
      assert json.loads(made.recv(4096))["reply"] == "ended"
      # More than there is room for, who all say nothing.
      crowd = []
      while len(crowd) < 550:
          # No room in the queue: the server has not come to it.
          try: crowd.append(connect())
          except BlockingIOError: time.sleep(0.01)
      time.sleep(0.2)
      assert refused(ask(call(), streams)) == "busy"
      for made in crowd: made.close()
      time.sleep(0.2)
      assert ask('{"darkroom":"%s","request":"state"}' % sys.argv[2])["commands"] == 0
      """
    )
    #expect(result.code == 0, "\(result.errors)")
    #expect(try home.darkroom("exec", ["--app", TestHome.app, "--", "true"]).code == 0)
    try server.wait(for: "ended", 2)
    #expect(try server.count("accepted") == 3)
    try server.stop()
  }

  @Test(arguments: TestUser.available)
  func `a client that reads nothing blocks neither the end of its session nor the server`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    let server = try RunningServer(home)
    // The output pipe of the command is full and has no reader.
    let script = """
      end, full = os.pipe()
      os.set_blocking(full, False)
      try:
          while True: os.write(full, b"x" * 65536)
      except BlockingIOError: pass
      os.set_blocking(full, True)
      made = connect()
      socket.send_fds(made, [call(["exec", "--app", "no app", "--", "true"]).encode()], [here, 0, full, full])
      assert json.loads(made.recv(4096))["reply"] == "accepted"
      made.send(b'{"command":"begin"}')
      made.close()
      # The pipe stays full as long as this lives.
      time.sleep(100)
      """
    let path = try home.write("slow.py", Self.prologue + script)
    let arguments = ["/usr/bin/python3", path, RunningServer.socket(home), try version(home)]
    let slow = try home.start(arguments)
    try server.wait(for: "ended")
    #expect(try server.count("abandoned") == 1)
    slow.signal(SIGKILL)
    _ = try slow.end()
    try server.stop()
  }

  @Test(.enabled(if: TestUser.hasRoot))
  func `refuses clients of another user, and clients refuse servers of another user`() throws {
    let home = try TestHome(.root)
    let server = try RunningServer(home)
    // The most permissive access modes that an administrator could set by mistake.
    for path in [home.directory, home.root, "\(home.root)/serve"] { #expect(chmod(path, 0o755) == 0) }
    #expect(chmod(RunningServer.socket(home), 0o777) == 0)
    let regular = TestUser.regular.commandPrefix
    let asked = try python(
      home,
      """
      reply = ask('{"darkroom":"%s","request":"state"}' % sys.argv[2])
      assert (reply["reply"], reply["reason"]) == ("refused", "user"), reply
      assert ask(call(), streams)["reason"] == "user"
      """,
      commandPrefix: regular
    )
    #expect(asked.code == 0, "\(asked.errors)")
    try server.wait(for: "refused", 2)
    #expect(try server.refusals() == ["user", "user"])
    #expect(try server.count("accepted") == 0)
    try server.stop()
    // Conversely, root does not use the server of another user.
    let users = try TestHome(.regular)
    let other = try RunningServer(users)
    let arguments = [
      users.programs.darkroom, "exec", "--root", users.root, "--app", TestHome.app, "--", "true",
    ]
    let result = try home.start(arguments).end()
    #expect(result.errors.contains("belongs to another user"))
    #expect(try other.count("accepted") == 0)
    try other.stop()
  }

  @Test func `runs a command without a server of another version, and reports the version`() throws {
    let home = try TestHome(TestUser.available[0])
    #expect(try home.exec(["true"]).command.code == 0)
    try FileSystem.makeDirectory("\(home.root)/serve")
    try home.giveOwnership("\(home.root)/serve")
    let path = try home.write(
      "other.py",
      Self.prologue + """
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(place)
        listener.listen()
        made, _ = listener.accept()
        assert json.loads(made.recv(1 << 20))["darkroom"] == sys.argv[2]
        made.send(b'{"reply":"refused","reason":"version","of":"0.0.9"}')
        """
    )
    let socket = RunningServer.socket(home)
    let fake = try home.start(["/usr/bin/python3", path, socket, try version(home)])
    try fake.wait { try FileSystem.status(socket) != nil }
    let session = try home.exec(["sh", "-c", "exit 5"])
    #expect(session.command.code == 5)
    #expect(session.command.errors.contains("its version is 0.0.9, not "))
    #expect(try fake.end().code == 0)
  }

  @Test(arguments: TestUser.available)
  func `forwards keys from the client's terminal, and restores the terminal`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    try home.installWithoutSwift()
    let server = try RunningServer(home)
    let path = try home.write(
      "terminal.py",
      """
      \(TerminalReader.script)
      import os, pty, sys, termios, time
      child, manager = pty.fork()
      if child == 0:
          os.execv(sys.argv[1], ["darkroom", "run", "--root"] + sys.argv[2:])
      seen = b""
      while b"space: shutter" not in seen: seen += os.read(manager, 4096)
      # Single keys are read only after the terminal has left canonical mode.
      while termios.tcgetattr(manager)[3] & termios.ICANON: time.sleep(0.01)
      os.write(manager, b"q")
      while more := words(manager): seen += more
      _, status = os.waitpid(child, 0)
      assert os.waitstatus_to_exitcode(status) == 0, seen
      assert b"by the person" in seen or b"outcome" in seen, seen
      """
    )
    let arguments = [
      "/usr/bin/python3", path, home.programs.darkroom, home.root, "\(TestHome.app).framelogger",
    ]
    let result = try home.start(arguments).end()
    #expect(result.code == 0, "\(result.errors)\(result.text)")
    #expect(try server.count("accepted") == 1)
    try server.stop()
  }

  @Test func `notifies the service manager of readiness, liveness and stopping`() throws {
    let home = try TestHome(TestUser.available[0])
    let path = try home.write(
      "manager.py",
      """
      import socket, sys
      made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      made.bind(sys.argv[1])
      for wanted in ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"]:
          said = made.recv(100).decode()
          # However often it was alive meanwhile.
          while wanted == "STOPPING=1" and said == "WATCHDOG=1": said = made.recv(100).decode()
          assert said == wanted, said
      """
    )
    for name in [home.file("manager"), "@\(home.directory)"] {
      let socket = name.hasPrefix("@") ? "\0" + name.dropFirst() : name
      // An argument cannot contain a null byte.
      let manager = try home.start([
        "/usr/bin/python3", "-c",
        "import sys; name = sys.argv[1]; sys.argv[1] = name.replace('@', chr(0), 1); exec(open('\(path)').read())",
        name,
      ])
      try manager.wait {
        try name.hasPrefix("@")
          ? String(decoding: FileSystem.contents("/proc/net/unix", limit: 1 << 24) ?? [], as: UTF8.self)
            .contains(name)
          : FileSystem.status(socket) != nil
      }
      let server = try RunningServer(home, variables: ["NOTIFY_SOCKET=\(name)", "WATCHDOG_USEC=20000"])
      MonotonicClock.sleep(milliseconds: 100)
      try server.stop(with: manager)
    }
  }
}
