// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the environment that a sandboxed Python script finds.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestPrograms.has("python3")), .waiting) struct SandboxViewTests
{
  private func runScript(_ script: String, _ user: TestUser) throws -> (lines: [String], home: TestHome) {
    let home = try TestHome(user)
    try home.installWithoutSwift()
    let session = try home.exec(["/usr/bin/python3", "-c", script.replacing("PLACE", with: home.root)])
    #expect(session.command.code == 0, "\(session.command.errors)")
    return (session.command.text.split(separator: "\n").map(String.init), home)
  }

  @Test(arguments: TestUser.available)
  func `no path of the host exists in the sandbox`(user: TestUser) throws {
    let script = """
      import os
      for path in ["/root", "/home", "PLACE", "/etc/shadow", "/run", "/var/lib", "/var/log", "/sys/kernel", "/sys/class", "/boot", "/opt", "/mnt",
                   "/etc/hostname", "/etc/machine-id", "/dev/kmsg", "/dev/mem", "/dev/tty", "/dev/pts", "/proc/sys",
                   "/proc/kcore", "/proc/keys", "/proc/1/root/root", "/groups", "PLACE/groups", "/.oldroot", "/proc/kallsyms"]:
          if os.path.lexists(path): print(path)
      """
    let lines = try runScript(script, user).lines
    #expect(lines == [])
  }

  @Test(arguments: TestUser.available)
  func `only the session and container directories are writable`(user: TestUser) throws {
    let script = """
      import itertools, os
      made = set()
      def attempt(directory):
          path = directory.rstrip("/") + "/written-by-test"
          try: os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)); os.unlink(path); made.add(os.path.realpath(directory))
          except OSError: pass
      seen = 0
      # The names at the top cannot be listed, so those that there may be are tried.
      tops = ["usr", "etc", "dev", "proc", "var", "tmp", "session", "container", "extension", "bin", "lib", "run", "home"]
      attempt("/")
      for top, directories, files in itertools.chain(*(os.walk("/" + name, followlinks=False) for name in tops)):
          if top.count("/") > 4 and not top.startswith(("/session", "/container")): directories.clear(); continue
          seen += 1; attempt(top)
          for name in files[:20]:
              path = os.path.join(top, name)
              try:
                  if os.path.isfile(path) and not os.path.islink(path) and not path.startswith("/proc/"):
                      os.close(os.open(path, os.O_WRONLY)); made.add(path)
              except OSError: pass
      print("\\n".join(sorted(made)))
      assert seen > 50, seen
      """
    let lines = try runScript(script, user).lines
    #expect(lines.contains("/session") && lines.contains("/container"))
    #expect(lines.filter { !$0.hasPrefix("/session") && !$0.hasPrefix("/container") } == [])
  }

  @Test(arguments: TestUser.available)
  func `no process of the host is visible or can be signalled`(user: TestUser) throws {
    let script = """
      import os
      print(sorted(int(name) for name in os.listdir("/proc") if name.isdigit()))
      print(os.getpid(), os.getsid(0) == os.getpid())
      for process in range(3, 70000):
          try: os.kill(process, 0); print("signalled", process)
          except ProcessLookupError: pass
      """
    let (lines, _) = try runScript(script, user)
    // The PID of the session init can be hidden.
    #expect(lines.first == "[2]" || lines.first == "[1, 2]")
    #expect(lines.dropFirst() == ["2 True"])
  }

  @Test(arguments: TestUser.available)
  func `environment variables, host name, IDs and capabilities are those of the sandbox`(user: TestUser)
    throws
  {
    let script = """
      import os, socket, sys
      print(" ".join(sorted(name for name in os.environ if name != "LC_CTYPE")))
      print(os.uname().nodename, os.uname().domainname if hasattr(os.uname(), "domainname") else "", end="\\n")
      print(os.getuid(), os.geteuid(), os.getgid(), os.getgroups(), os.getcwd())
      print(sorted(int(fd) for fd in os.listdir("/proc/self/fd"))[:3], len(os.listdir("/proc/self/fd")))
      status = open("/proc/self/status").read()
      for name in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp", "SigBlk", "SigIgn"]:
          print(name, int([l.split()[1] for l in status.splitlines() if l.startswith(name + ":")][0], 16))
      """
    let (lines, _) = try runScript(script, user)
    #expect(
      lines.first
        == [
          "DARKROOM_APP_CONTEXT", "DARKROOM_CONTAINER_DIR", "DARKROOM_SESSION_DIR", "DARKROOM_SESSION_ID",
          "HOME", "LANG",
          "LOGNAME", "PATH", "SWIFT_BACKTRACE", "SWIFT_ROOT", "TMPDIR", "USER", "XDG_CACHE_HOME",
          "XDG_CONFIG_HOME",
          "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
        ].joined(separator: " ")
    )
    #expect(lines[1].hasPrefix("darkroom"))
    // An unprivileged user cannot drop supplementary groups; inside, they map to the overflow GID.
    #expect(lines[2].hasPrefix("1000 1000 1000 [") && lines[2].hasSuffix("] /session"), "\(lines[2])")
    #expect(lines[3] == "[0, 1, 2] 4")
    // Python itself ignores SIGPIPE and SIGXFSZ.
    #expect(
      lines.dropFirst(4) == [
        "CapInh 0", "CapPrm 0", "CapEff 0", "CapBnd 0", "CapAmb 0", "NoNewPrivs 1", "Seccomp 2", "SigBlk 0",
        "SigIgn \(1 << 12 | 1 << 24)",
      ]
    )
  }

  @Test(.enabled(if: TestUser.available.contains(.root), "only root can run extensions with other UIDs"))
  func `each session of root gets its own UID`() throws {
    let home = try TestHome(.root)
    let owners = try (0..<3).map { _ in
      let session = try home.exec(["true"])
      session.expectSuccess()
      let layers = session.record["enforcement"]?["layers"]?.elements ?? []
      return try #require(layers.first { $0["name"]?.string == "userNamespace" }?["detail"]?.string)
    }
    // UIDs are chosen at random from 65536 up, so three equal ones are unlikely.
    #expect(Set(owners).count > 1, "\(owners)")
  }
}
