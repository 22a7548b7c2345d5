// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of an app's shared assets as programs in the sandbox see them.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SharedAssetsTests {
  /// Creates a directory with a preset and publishes it. An app that the state root does not have is added.
  private func publish(
    _ text: String,
    for app: String = TestHome.app,
    _ home: TestHome,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let directory = home.file("source-\(Randomness.hexadecimal(bytes: 4))")
    try FileSystem.makeDirectories("\(directory)/luts")
    for name in ["preset", "luts/warm"] {
      try FileSystem.replaceContents("\(directory)/\(name)", with: Array("\(text)\n".utf8), mode: 0o755)
      try home.giveOwnership("\(directory)/\(name)")
    }
    try home.giveOwnership("\(directory)/luts")
    try home.giveOwnership(directory)
    let state = "\(home.root)/apps/\(app)"
    if try FileSystem.status("\(home.root)/apps") != nil, try FileSystem.status(state) == nil {
      try FileSystem.makeDirectory(state)
      try home.giveOwnership(state)
    }
    let result = try home.darkroom("assets", ["publish", app, directory, "--json"])
    try #require(result.code == 0, "\(result.errors)", sourceLocation: sourceLocation)
    try FileSystem.removeTree(directory)
  }

  @Test(arguments: TestUser.available)
  func `shared assets are readable, not writable or executable, and hidden from other apps`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let script = """
      echo "${DARKROOM_ASSETS_DIR-none}"; cat /assets/preset /assets/luts/warm 2>/dev/null
      (: >/assets/new) 2>/dev/null && echo written
      (: >>/assets/preset) 2>/dev/null && echo changed
      unlink /assets/preset 2>/dev/null && echo removed
      mkdir /assets/new 2>/dev/null && echo made
      chmod 777 /assets/preset 2>/dev/null && echo opened up
      /assets/preset 2>/dev/null && echo run
      cat '\(home.root)/apps/org.example.other/assets/1/files/preset' 2>/dev/null
      (exec 9</assets/preset && flock -n -x 9 && echo locked only here) 2>/dev/null
      echo end
      """
    #expect(try home.exec(["sh", "-c", script]).command.text == "none\nend\n")
    try publish("shared", home)
    try publish("secret", for: "org.example.other", home)
    // The lock applies to the session's layer; the file of the host is not locked.
    let session = try home.exec(["sh", "-c", script])
    #expect(
      session.command.text == "/assets\nshared\nshared\nlocked only here\nend\n",
      "\(session.command.errors)"
    )
    let cleared = try home.darkroom("assets", ["clear", TestHome.app])
    #expect(cleared.code == 0, "\(cleared.errors)")
    #expect(try home.exec(["sh", "-c", script]).command.text == "none\nend\n")
  }

  @Test(arguments: TestUser.available)
  func `a session keeps its asset set, without visible locks, while a new one is published`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    try publish("old", home)
    let script = """
      exec 9</assets/preset 8</assets; flock -x 9; flock -x 8; echo ready >/session/ready
      while test ! -e /session/go; do sleep 0.05; done
      cat /assets/preset /assets/luts/warm
      """
    let command = try home.startDarkroom("exec", ["--app", TestHome.app, "--", "bash", "-c", script])
    func content() throws -> String? {
      try home.names("sessions").first.map { "\(home.root)/sessions/\($0)/content" }
    }
    try command.wait(until: { try content().map { try FileSystem.status("\($0)/ready") != nil } ?? false })
    try publish("new", home)
    let files = "\(home.root)/apps/\(TestHome.app)/assets/1/files"
    #expect(try FileLock.isHeld("\(files)/preset") == false && FileLock.isHeld(files) == false)
    let list = try home.json(try home.darkroom("assets", ["list", TestHome.app, "--json"]).output)
    let sets = list["sets"]?.elements ?? []
    #expect(sets.map { $0["generation"]?.integer } == [2, 1])
    #expect(sets.map { $0["current"]?.bool } == [true, false])
    #expect(sets.map { $0["used"]?.bool } == [false, true])
    let concurrent = try home.darkroom("exec", ["--app", TestHome.app, "--", "cat", "/assets/preset"])
    #expect(concurrent.text == "new\n", "\(concurrent.errors)")
    try FileSystem.replaceContents("\(try #require(try content()))/go", with: [])
    let result = try command.end()
    #expect(result.text == "old\nold\n", "\(result.errors)")
    #expect(try home.names("apps/\(TestHome.app)/assets") == ["2"])
    try home.expectNothingLeft()
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `inotify watches on assets do not report accesses of the host`(user: TestUser) throws {
    let home = try TestHome(user)
    try publish("old", home)
    let script = """
      import ctypes, os, time
      c = ctypes.CDLL(None, use_errno=True)
      watch = c.inotify_init1(os.O_NONBLOCK)
      def seen():
          try: return len(os.read(watch, 4096)) > 0
          except BlockingIOError: return False
      print(c.inotify_add_watch(watch, b"/assets/preset", 0xFFF) > 0)
      open("/assets/preset").read()
      print(seen())
      open("/session/ready", "w").close()
      while not os.path.exists("/session/go"): time.sleep(0.05)
      print(seen())
      """
    // The shipped policies refuse inotify; a user's policy can allow it.
    let calls = #"{"allow":["inotify_init1","inotify_add_watch"]}"#
    let policy = try home.write("watch.json", #"{"name":"watch","extends":"capture","syscalls":\#(calls)}"#)
    let command = try home.startDarkroom(
      "exec",
      ["--app", TestHome.app, "--policy", policy, "--", "python3", "-c", script]
    )
    func content() throws -> String? {
      try home.names("sessions").first.map { "\(home.root)/sessions/\($0)/content" }
    }
    try command.wait(until: { try content().map { try FileSystem.status("\($0)/ready") != nil } ?? false })
    let file = "\(home.root)/apps/\(TestHome.app)/assets/1/files/preset"
    #expect(try FileSystem.contents(file) == Array("old\n".utf8))
    try runShell("touch '\(file)'")
    try FileSystem.replaceContents("\(try #require(try content()))/go", with: [])
    let result = try command.end()
    // Control: the watch reports the program's own access.
    #expect(result.text == "True\nTrue\nFalse\n", "\(result.errors)")
  }

  @Test(.enabled(if: NamespaceRefusal.isAvailable))
  func `without namespaces assets are read by their host path, and other sets stay hidden`() throws {
    let home = try TestHome(.regular)
    home.confinementPrefix = NamespaceRefusal.commandPrefix
    let policy = #"{"name":"loose","extends":"capture",\#(NamespaceRefusal.permission)}"#
    let options = ["--policy", try home.write("loose.json", policy)]
    try publish("shared", home)
    try publish("secret", for: "org.example.other", home)
    let script = """
      cat "$DARKROOM_ASSETS_DIR/preset"; cd "$DARKROOM_ASSETS_DIR" && ls
      (: >"$DARKROOM_ASSETS_DIR/preset") 2>/dev/null && echo written
      chmod 777 "$DARKROOM_ASSETS_DIR" 2>/dev/null && echo opened up
      "$DARKROOM_ASSETS_DIR/preset" 2>/dev/null && echo run
      ls "$DARKROOM_ASSETS_DIR/.." 2>/dev/null && echo the set is in reach
      cat "$DARKROOM_ASSETS_DIR/../../../../org.example.other/assets/1/files/preset" 2>/dev/null
      echo end
      """
    let session = try home.exec(["sh", "-c", script], options: options)
    #expect(session.command.text == "shared\nluts\npreset\nend\n", "\(session.command.errors)")
  }

  @Test(arguments: TestUser.available)
  func `rejects an invalid asset set with the reason, and keeps the published one`(user: TestUser) throws {
    let home = try TestHome(user)
    try publish("old", home)
    try FileSystem.makeDirectory(home.file("bad"))
    try FileSystem.makeSymbolicLink("\(home.file("bad"))/link", to: "/etc/passwd")
    try home.giveOwnership(home.file("bad"))
    let result = try home.darkroom("assets", ["publish", TestHome.app, home.file("bad")])
    #expect(result.code == 65 && result.errors.contains("link is a symbolic link"), "\(result.errors)")
    let none = try home.darkroom("assets", ["publish", TestHome.app, home.file("none")])
    #expect(
      none.code == 66 && none.errors.contains("No such file or directory (ENOENT); name the directory"),
      "\(none.errors)"
    )
    #expect(try home.exec(["cat", "/assets/preset"]).command.text == "old\n")
  }

  @Test(arguments: TestUser.available)
  func `refuses to uninstall while a session reads the assets, and removes them with the app`(
    user: TestUser
  )
    throws
  {
    let home = try TestHome(user)
    try home.installWithoutSwift()
    try publish("shared", home)
    let script =
      "echo ready >/session/ready; while test ! -e /session/go; do sleep 0.05; done; cat /assets/preset"
    let command = try home.startDarkroom("exec", ["--app", TestHome.app, "--", "bash", "-c", script])
    func content() throws -> String? {
      try home.names("sessions").first.map { "\(home.root)/sessions/\($0)/content" }
    }
    try command.wait(until: { try content().map { try FileSystem.status("\($0)/ready") != nil } ?? false })
    let refused = try home.darkroom("uninstall", [TestHome.app])
    #expect(refused.code != 0 && refused.errors.contains("is running"), "\(refused.errors)")
    try FileSystem.replaceContents("\(try #require(try content()))/go", with: [])
    let result = try command.end()
    #expect(result.text == "shared\n", "\(result.errors)")
    let removed = try home.darkroom("uninstall", [TestHome.app, "--discard-content"])
    #expect(removed.code == 0, "\(removed.errors)")
    #expect(try home.names("apps") == [".lock"])
    try home.expectNothingLeft()
  }

  @Test func `explain agrees with the access to shared assets`() throws {
    let home = try TestHome(TestUser.available[0])
    for (options, code) in [([], 0), (["--write"], 1)] as [([String], Int32)] {
      let result = try home.darkroom("explain", ["/assets/preset", "--json"] + options)
      let verdict = try home.json(result.output).elements?.first?["verdict"]?.string
      #expect(verdict == (code == 0 ? "allowed" : "refused"), "\(result.text)")
    }
  }
}
