// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

extension TestHome {
  /// Checks that a restricted session reaches no network, no group container, no server and no host process,
  /// and cannot change the files of the host for the session.
  func expectRestrictedSession(options: [String]) throws {
    let group = "\(root)/groups/org.example.other"
    // The first command creates the state root.
    _ = try exec(["true"], options: options)
    try FileSystem.makeDirectories(group)
    try FileSystem.replaceContents("\(group)/secret", with: [115], mode: 0o666)
    for path in [group, "\(group)/secret", FileSystem.directoryName(group)] { try giveOwnership(path) }
    let session = try exec(["/usr/bin/python3", "-c", restrictedAttempts(group)], options: options)
    #expect(session.command.text == "done\n", "\(session.command.errors)")
    #expect(try FileSystem.contents("\(group)/secret") == [115])
  }

  /// Returns a program in Python that prints the attempts that succeed.
  private func restrictedAttempts(_ group: String) -> String {
    """
    import os, socket
    def attempt(name, body):
        try: body(); print("got through:", name)
        except OSError as error: pass
    for family in range(46):
        for kind in (1, 2, 3, 5): attempt(f"socket {family} {kind}", lambda: socket.socket(family, kind))
    secret = "\(group)/secret"
    attempt("read", lambda: open(secret).read())
    attempt("write", lambda: open(secret, "w"))
    attempt("list", lambda: os.listdir("\(root)"))
    attempt("remove", lambda: os.unlink(secret))
    attempt("rename", lambda: os.rename(secret, os.environ["TMPDIR"] + "/x"))
    attempt("mode", lambda: os.chmod(secret, 0o777))
    attempt("alias", lambda: open(f"/proc/self/root{secret}").read())
    attempt("relative", lambda: open(os.path.relpath(secret)).read())
    above = os.path.dirname(os.environ["DARKROOM_SESSION_DIR"])
    attempt("the session's list", lambda: os.listdir(above))
    attempt("the journal", lambda: open(above + "/journal.json").read())
    attempt("the notes of uses", lambda: open(above + "/uses.ndjson", "a"))
    # Names that the host creates there after the program has started, and files that it passes to the next session.
    for name in ("log", "record.json", "lock", "reserve-general", "reserve-record", "reserve-settling", "library"):
        attempt(f"make {name}", lambda: open(f"{above}/{name}", "x"))
        attempt(f"link {name}", lambda: os.symlink(secret, f"{above}/{name}"))
        attempt(f"directory {name}", lambda: os.mkdir(f"{above}/{name}"))
        attempt(f"write {name}", lambda: open(f"{above}/{name}", "a"))
        attempt(f"remove {name}", lambda: os.unlink(f"{above}/{name}"))
    open("own", "w").close()
    for name in ("log", "other"): attempt(f"name own {name}", lambda: os.link("own", f"{above}/{name}"))
    for name in ("log", "other"): attempt(f"move own {name}", lambda: os.rename("own", f"{above}/{name}"))
    attempt("take the reserve", lambda: os.rename(above + "/reserve-general", "general"))
    attempt("kill", lambda: os.kill(os.getppid(), 0))
    attempt("environ", lambda: open(f"/proc/{os.getppid()}/environ").read())
    attempt("cmdline", lambda: open("/proc/1/cmdline").read())
    attempt("list the group container", lambda: os.listdir("\(group)"))
    attempt("list the directory of the servers", lambda: os.listdir("\(root)/serve"))
    attempt("connect to the server", lambda: socket.socket(socket.AF_UNIX).connect("\(root)/serve/host"))
    attempt("link", lambda: os.link(secret, os.environ["TMPDIR"] + "/x"))
    attempt("owner", lambda: os.chown(secret, 0, 0))
    attempt("kill the first process", lambda: os.kill(1, 0))
    attempt("become root", lambda: os.setuid(0) if os.getuid() else os.setuid(1))
    print("done")
    """
  }
}
