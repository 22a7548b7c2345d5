// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of a server with hostile clients, and of clients with an unexpected server.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Programs.has("python3")), .waiting) struct HostileClientTests {
  /// The beginning of the Python scripts.
  private static let beginning = """
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

  private func python(_ place: Place, _ script: String, becoming: [String] = []) throws -> Command.Result {
    let path = try place.write("hostile.py", Self.beginning + script, mode: 0o755)
    let version = try version(place)
    let words = ["/usr/bin/python3", path, RunningServer.socket(place), version]
    return try place.start(becoming + words).end()
  }

  private func version(_ place: Place) throws -> String {
    let words = try place.start([place.programs.darkroom, "--version"]).end().text.split(separator: " ")
    return try #require(words.last).filter { !$0.isNewline }
  }

  @Test(arguments: Person.available)
  func `no bytes and no number of clients keep a server from the next one`(person: Person) throws {
    let place = try Place(person)
    let server = try RunningServer(place)
    let result = try python(
      place,
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
      # The directory is no directory: it is the thread of the command that finds out.
      assert refused(ask(call(), [0, 0, 1, 2])) == "server"
      # Somebody who has a command and then speaks nonsense has none any more.
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
    #expect(try place.darkroom("exec", ["--app", Place.app, "--", "true"]).code == 0)
    try server.wait(for: "ended", 2)
    #expect(try server.count("accepted") == 3)
    try server.stop()
  }

  @Test(arguments: Person.available)
  func `a client that reads nothing keeps neither its session nor the server from their end`(
    person: Person
  ) throws {
    let place = try Place(person)
    let server = try RunningServer(place)
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
    let path = try place.write("slow.py", Self.beginning + script)
    let words = ["/usr/bin/python3", path, RunningServer.socket(place), try version(place)]
    let slow = try place.start(words)
    try server.wait(for: "ended")
    #expect(try server.count("abandoned") == 1)
    slow.signal(SIGKILL)
    _ = try slow.end()
    try server.stop()
  }

  @Test(.enabled(if: Person.hasRoot))
  func `another user is not served, and does not use a server of another's`() throws {
    let place = try Place(.root)
    let server = try RunningServer(place)
    // The most permissive access modes that an administrator could set by mistake.
    for path in [place.directory, place.root, "\(place.root)/serve"] { #expect(chmod(path, 0o755) == 0) }
    #expect(chmod(RunningServer.socket(place), 0o777) == 0)
    let ordinary = Person.ordinary.becoming
    let asked = try python(
      place,
      """
      reply = ask('{"darkroom":"%s","request":"state"}' % sys.argv[2])
      assert (reply["reply"], reply["reason"]) == ("refused", "user"), reply
      assert ask(call(), streams)["reason"] == "user"
      """,
      becoming: ordinary
    )
    #expect(asked.code == 0, "\(asked.errors)")
    try server.wait(for: "refused", 2)
    #expect(try server.refusals() == ["user", "user"])
    #expect(try server.count("accepted") == 0)
    try server.stop()
    // Conversely, root does not use the server of another user.
    let users = try Place(.ordinary)
    let other = try RunningServer(users)
    let words = [users.programs.darkroom, "exec", "--root", users.root, "--app", Place.app, "--", "true"]
    let result = try place.start(words).end()
    #expect(result.errors.contains("another user's"))
    #expect(try other.count("accepted") == 0)
    try other.stop()
  }

  @Test func `a server of another version is told of, and done without`() throws {
    let place = try Place(Person.available[0])
    #expect(try place.exec(["true"]).command.code == 0)
    try FileSystem.makeDirectory("\(place.root)/serve")
    try place.give("\(place.root)/serve")
    let path = try place.write(
      "other.py",
      Self.beginning + """
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(place)
        listener.listen()
        made, _ = listener.accept()
        assert json.loads(made.recv(1 << 20))["darkroom"] == sys.argv[2]
        made.send(b'{"reply":"refused","reason":"version","of":"0.0.9"}')
        """
    )
    let socket = RunningServer.socket(place)
    let fake = try place.start(["/usr/bin/python3", path, socket, try version(place)])
    try fake.wait { try FileSystem.status(socket) != nil }
    let session = try place.exec(["sh", "-c", "exit 5"])
    #expect(session.command.code == 5)
    #expect(session.command.errors.contains("is Darkroom 0.0.9"))
    #expect(try fake.end().code == 0)
  }

  @Test(arguments: Person.available)
  func `keys at the client's terminal reach the session, and the terminal is as it was afterwards`(
    person: Person
  ) throws {
    let place = try Place(person)
    try place.installSmall()
    let server = try RunningServer(place)
    let path = try place.write(
      "terminal.py",
      """
      \(TerminalWords.reader)
      import os, pty, sys, termios, time
      child, manager = pty.fork()
      if child == 0:
          os.execv(sys.argv[1], ["darkroom", "run", "--root"] + sys.argv[2:])
      seen = b""
      while b"space: shutter" not in seen: seen += os.read(manager, 4096)
      # Keys are heard one by one, which they are only in this mode.
      while termios.tcgetattr(manager)[3] & termios.ICANON: time.sleep(0.01)
      os.write(manager, b"q")
      while more := words(manager): seen += more
      _, status = os.waitpid(child, 0)
      assert os.waitstatus_to_exitcode(status) == 0, seen
      assert b"by the person" in seen or b"outcome" in seen, seen
      """
    )
    let words = ["/usr/bin/python3", path, place.programs.darkroom, place.root, "\(Place.app).framelogger"]
    let result = try place.start(words).end()
    #expect(result.code == 0, "\(result.errors)\(result.text)")
    #expect(try server.count("accepted") == 1)
    try server.stop()
  }

  @Test func `a service manager hears of the server, and regularly that it is alive`() throws {
    let place = try Place(Person.available[0])
    let path = try place.write(
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
    for name in [place.file("manager"), "@\(place.directory)"] {
      let socket = name.hasPrefix("@") ? "\0" + name.dropFirst() : name
      // An argument cannot contain a null byte.
      let manager = try place.start([
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
      let server = try RunningServer(place, variables: ["NOTIFY_SOCKET=\(name)", "WATCHDOG_USEC=20000"])
      MonotonicClock.sleep(milliseconds: 100)
      try server.stop(with: manager)
    }
  }
}
