// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Tests that a served command reads its terminal only in the foreground.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: TestPrograms.has("python3") && TestPrograms.has("bash")),
  .waiting
)
struct ServerTerminalTests {
  /// The beginning of a Python script that types into a shell on a pseudoterminal.
  private static let prologue = """
    import os, pty, select, sys, termios, time
    darkroom, root = sys.argv[1:3]
    os.environ.update(PS1="% ", TERM="dumb")
    def start(words):
        global child, manager
        child, manager = pty.fork()
        if child == 0: os.execvp(words[0], words)
    seen = b""
    def look():
        global seen
        if select.select([manager], [], [], 0.05)[0]:
            try: seen += os.read(manager, 4096)
            except OSError: return False
        return True
    def wait(until):
        for _ in range(1200):
            look()
            if until(): return
        raise SystemExit(repr(seen))
    def expect(text):
        global seen
        wait(lambda: text in seen)
        seen = seen[seen.index(text) + len(text):]
    def type(text):
        for number in range(len(text)):
            os.write(manager, text[number:number + 1])
            time.sleep(0.002)
    # The output is complete only if no other process has read a part of the input. The typed text does not contain the
    # expected output, so that the echo of the terminal does not match.
    def expect_shell():
        for number in range(4):
            type(b"echo q s d-q s d-$((%d+1))\\n" % number)
            expect(b"q s d-q s d-%d" % (number + 1))
    def finish():
        while look(): pass
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    """

  private func type(_ home: TestHome, _ script: String) throws {
    let path = try home.write("terminal.py", Self.prologue + script)
    let result = try home.start(["/usr/bin/python3", path, home.program, home.root]).end()
    #expect(result.code == 0, "\(result.errors)\(result.text)")
  }

  /// Locks the screen after one unlock, which makes the data readable.
  private func lock(_ home: TestHome) throws {
    let passcode = try home.write("passcode", "1234\n")
    for arguments in [["passcode", "set"], ["unlock"]] {
      let rest = arguments.dropFirst() + ["--passcode-fd", "0"]
      #expect(try home.darkroom(arguments[0], Array(rest), input: passcode).code == 0)
    }
    #expect(try home.darkroom("lock", []).code == 0)
  }

  @Test(arguments: TestUser.available, TestPrograms.Client.allCases)
  func `a session that is moved to the background leaves the keys to the shell`(
    user: TestUser,
    client: TestPrograms.Client
  ) throws {
    let home = try TestHome(user)
    try home.installWithoutSwift()
    let server = try RunningServer(home)
    home.program = home.programs.path(of: client)
    try type(
      home,
      """
      def is_raw(): return not termios.tcgetattr(manager)[3] & termios.ICANON
      start(["bash", "--norc", "-i"])
      type(f"{darkroom} run --root {root} \(TestHome.app).framelogger --camera pattern\\n".encode())
      expect(b"space: shutter")
      wait(is_raw)
      type(b"\\x1a")
      expect(b"Stopped")
      expect_shell()
      type(b"bg\\n")
      expect_shell()
      type(b"fg\\n")
      expect(b"framelogger")
      # A line, if the shell has not made the terminal what it was before the stop.
      type(b"q\\n")
      expect(b"outcome")
      type(b"exit 7\\n")
      assert finish() == 7
      """
    )
    #expect(try server.count("accepted") == 1)
    try server.stop()
  }

  @Test(arguments: TestUser.available, TestPrograms.Client.allCases)
  func `does not prompt in the background, and ignores what is typed there`(
    user: TestUser,
    client: TestPrograms.Client
  ) throws {
    let home = try TestHome(user)
    try home.install(home.programs.clownTown)
    try lock(home)
    let server = try RunningServer(home)
    home.program = home.programs.path(of: client)
    try type(
      home,
      """
      def is_stopped():
          children = open(f"/proc/{child}/task/{child}/children").read().split()
          return any(open(f"/proc/{number}/stat").read().split(") ")[-1][0] == "T" for number in children)
      start(["bash", "--norc", "-i"])
      press = "control press --root {} org.darkroom.clowntown.portrait --from lockscreen".format(root)
      type(f"{darkroom} {press} </dev/null &\\n".encode())
      wait(lambda: b"asscode" in seen or is_stopped())
      assert b"asscode" not in seen, seen
      expect_shell()
      type(b"fg\\n")
      expect(b"asscode")
      type(b"\\x03")
      expect(b"% ")
      type(b"exit $?\\n")
      assert finish() == 69
      """
    )
    #expect(try server.count("accepted") == 1)
    try server.stop()
  }

  @Test(arguments: TestUser.available)
  func `an authentication command has the user's terminal`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install(home.programs.clownTown)
    try lock(home)
    let program = try home.write(
      "asks",
      "#!/bin/sh\necho by-error >&2\necho by-terminal >/dev/tty\nexit 2\n",
      mode: 0o755
    )
    #expect(
      try home.darkroom("lock", ["configure", "--authenticator", "command", "--command", program]).code == 0
    )
    let server = try RunningServer(home)
    try type(
      home,
      """
      words = ["control", "press", "--root", root, "org.darkroom.clowntown.portrait", "--from", "lockscreen"]
      start([darkroom] + words)
      code = finish()
      assert code == 69 and b"by-error" in seen and b"by-terminal" in seen, (code, seen)
      """
    )
    try server.stop()
  }
}
