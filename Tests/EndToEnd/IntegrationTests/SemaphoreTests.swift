// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of named semaphores, for which the host creates hard links in `/dev/shm` and nowhere else.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SemaphoreTests {
  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `processes share named semaphores under the default policy`(user: TestUser) throws {
    let script = """
      import multiprocessing
      m = multiprocessing.get_context("fork")
      print(m.Pool(2).map(abs, [-1, 2]))
      queue = m.Queue(); queue.put(5); print(queue.get())
      """
    let session = try TestHome(user).exec(["/usr/bin/python3", "-c", script])
    #expect(session.command.text == "[1, 2]\n5\n", "\(session.command.errors)")
    #expect(session.record["refusals"]?.elements?.isEmpty == true, "\(session.record["refusals"] as Any)")
  }

  /// Writes a policy that allows symlink for the attempts; hard links are still refused.
  private static func policy(_ home: TestHome, _ semaphores: String) throws -> String {
    try home.write(
      "links.json",
      """
      {"name": "links", "extends": "capture", "semaphores": "\(semaphores)", "syscalls": {"allow": ["symlink"]}}
      """
    )
  }

  /// Attempts to create hard links, and prints the result of each.
  private static let linkAttempts = """
    import os
    def attempt(name, *paths, **more):
        # Python 3.14 would follow symbolic links by a flag of linkat(2), which no C library sets.
        try: os.link(*paths, follow_symlinks=False, **more); print(name, "linked")
        except OSError as error: print(name, error.errno)
    for path in ("/dev/shm/a", "/session/a", "/container/a"): open(path, "w").write("a")
    os.mkdir("/dev/shm/d"); open("/dev/shm/d/a", "w")
    attempt("shared", "/dev/shm/a", "/dev/shm/b")
    attempt("again", "/dev/shm/a", "/dev/shm/b")
    attempt("missing", "/dev/shm/none", "/dev/shm/c")
    attempt("session", "/session/a", "/session/b")
    attempt("container", "/container/a", "/container/b")
    attempt("out", "/dev/shm/a", "/session/b")
    attempt("in", "/session/a", "/dev/shm/c")
    attempt("deeper", "/dev/shm/d/a", "/dev/shm/d/b")
    attempt("up", "/dev/shm/a", "/dev/shm/..")
    attempt("through", "/dev/shm/../../session/a", "/dev/shm/../../session/b")
    attempt("host", "/usr/bin/env", "/dev/shm/env")
    attempt("empty", "/dev/shm/", "/dev/shm/c")
    os.rename("/container/shm", "/container/old"); os.symlink("/session", "/container/shm")
    attempt("replaced", "/dev/shm/a", "/dev/shm/c")
    os.unlink("/container/shm"); os.symlink("/container/old", "/container/shm")
    attempt("replaced again", "/dev/shm/a", "/dev/shm/c")
    print(sorted(os.listdir("/session")), sorted(os.listdir("/container/old")))
    """

  /// The results of the attempts.
  private static let linkResults = """
    shared linked
    again 17
    missing 2
    session 1
    container 1
    out 1
    in 1
    deeper 1
    up 1
    through 1
    host 1
    empty 1
    replaced 1
    replaced again 1
    ['a'] ['a', 'b', 'd']

    """

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `refuses hard links other than between two names in shared memory`(user: TestUser) throws {
    let home = try TestHome(user)
    let session = try home.exec(
      ["/usr/bin/python3", "-c", Self.linkAttempts],
      options: ["--policy", try Self.policy(home, "named")]
    )
    #expect(session.command.text == Self.linkResults, "\(session.command.errors)")
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `without named semaphores every hard link is refused and reported`(user: TestUser) throws {
    let home = try TestHome(user)
    let session = try home.exec(
      ["/usr/bin/python3", "-c", "import multiprocessing as m; m.Lock()"],
      options: ["--policy", try Self.policy(home, "unnamed")]
    )
    #expect(session.command.code == 1)
    let calls = session.record["refusals"]?.elements?.compactMap { $0["call"]?.string } ?? []
    #expect(calls == ["link"] || calls == ["linkat"], "\(calls)")
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `a program can set the IDs that it has, and no others`(user: TestUser) throws {
    let script = """
      import os
      own = os.getuid()
      os.setuid(own); os.setgid(own); os.setreuid(own, own); os.setresgid(-1, own, own); os.setresuid(-1, -1, -1)
      for call, ids in ((os.setuid, (0,)), (os.setgid, (own + 1,)), (os.setresuid, (own, own, 0)), (os.setreuid, (0, -1))):
          try: call(*ids); print("set")
          except PermissionError: print("refused")
      print(os.getresuid() == (own, own, own), os.getresgid() == (own, own, own))
      """
    let session = try TestHome(user).exec(["/usr/bin/python3", "-c", script])
    #expect(
      session.command.text == "refused\nrefused\nrefused\nrefused\nTrue True\n",
      "\(session.command.errors)"
    )
    #expect(session.record["refusals"]?.elements?.count == 4)
  }
}
