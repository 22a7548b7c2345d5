// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sessions with a socket as standard input, output or error.
@Suite(.timeLimit(.minutes(20)), .waiting) struct StreamSocketTests {
  /// Runs Python code that starts `darkroom exec` with sockets. `exec_` is the beginning of the command line.
  private static func python(_ home: TestHome, _ text: String) throws -> Command.Result {
    let start = """
      import socket, subprocess, sys, time
      exec_ = ["\(home.programs.darkroom)", "exec", "--root", "\(home.root)", "--app", "\(TestHome.app)", "--"]
      def read(end):
          found = b""
          while piece := end.recv(1 << 20): found += piece
          return found
      def start(words, **streams): return subprocess.Popen(exec_ + words, **streams)
      """
    return try home.start(["/usr/bin/python3", "-c", "\(start)\n\(text)"]).end()
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `the bytes of a connected stream socket reach the session and come back`(user: TestUser) throws {
    let result = try Self.python(
      TestHome(user),
      """
      here, there = socket.socketpair()
      made = start(["sh", "-c", "cat; echo end; echo error >&2; exit 3"], stdin=there, stdout=there, stderr=there)
      there.close(); here.sendall(b"a line\\n"); here.shutdown(socket.SHUT_WR)
      print(read(here), made.wait())
      here, there = socket.socketpair()
      made = start(["head", "-c", "5000000", "/dev/zero"], stdout=there)
      there.close(); time.sleep(0.5); print(len(read(here)), made.wait())
      """
    )
    let lines = result.text.split(separator: "\n")
    #expect(
      lines.count == 2 && lines[0].hasPrefix(#"b'a line\nend\nerror\n"#) && lines[0].hasSuffix(" 3"),
      "\(result)"
    )
    #expect(lines.last == "5000000 0", "\(result)")
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `no descriptor of a session is a socket of its host`(user: TestUser) throws {
    let result = try Self.python(
      TestHome(user),
      """
      here, there = socket.socketpair()
      look = "import os, stat; print([stat.S_ISSOCK(os.fstat(n).st_mode) for n in range(3)])"
      made = start(["/usr/bin/python3", "-c", look], stdin=there, stdout=there, stderr=there)
      there.close(); print(read(here).decode(), made.wait())
      """
    )
    #expect(result.text.hasPrefix("[False, False, False]\n"), "\(result)")
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `reports a closed output socket to the program, and a stalled reader blocks no session`(
    user: TestUser
  ) throws {
    let result = try Self.python(
      TestHome(user),
      """
      here, there = socket.socketpair()
      made = start(["yes"], stdout=there)
      there.close(); here.recv(10); here.close(); print(made.wait())
      here, there = socket.socketpair(); there.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
      made = start(["sh", "-c", "head -c 60000 /dev/zero; exit 3"], stdout=there, stderr=subprocess.PIPE)
      there.close(); print(made.wait(), b"some output was lost" in made.stderr.read())
      """
    )
    #expect(result.text == "141\n3 True\n", "\(result)")
  }

  /// With such a socket, a session could send to any address by sendmsg(2), which a seccomp filter cannot
  /// inspect.
  @Test(
    .enabled(if: TestPrograms.has("python3")),
    arguments: TestUser.available,
    [
      "socket.AF_INET, socket.SOCK_DGRAM", "socket.AF_UNIX, socket.SOCK_DGRAM",
      "socket.AF_INET, socket.SOCK_STREAM",
    ]
  )
  func `a launch with a socket that is not a connected stream is refused`(user: TestUser, kind: String) throws
  {
    for stream in ["stdin", "stdout", "stderr"] {
      let home = try TestHome(user)
      let result = try Self.python(
        home,
        """
        made = start(["sh", "-c", "date > /session/now"], \(stream)=socket.socket(\(kind)))
        print(made.wait())
        """
      )
      #expect(result.text == "126\n", "\(stream) \(result)")
      if stream != "stderr" {
        #expect(result.errors.contains("is a socket that is unconnected"), "\(result)")
      }
      #expect(try home.darkroom("content", ["list", TestHome.app]).text.contains("now") == false)
    }
  }
}
