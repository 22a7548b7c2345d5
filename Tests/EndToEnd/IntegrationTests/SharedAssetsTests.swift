// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of an app's shared assets as programs in the sandbox see them.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SharedAssetsTests {
  /// Creates a directory with a preset and publishes it.
  private func publish(
    _ text: String,
    for app: String = Place.app,
    _ place: Place,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let directory = place.file("source-\(Randomness.hexadecimal(bytes: 4))")
    try FileSystem.makeDirectories("\(directory)/luts")
    for name in ["preset", "luts/warm"] {
      try FileSystem.replaceContents("\(directory)/\(name)", with: Array("\(text)\n".utf8), mode: 0o755)
      try place.give("\(directory)/\(name)")
    }
    try place.give("\(directory)/luts")
    try place.give(directory)
    let result = try place.darkroom("assets", ["publish", app, directory, "--json"])
    try #require(result.code == 0, "\(result.errors)", sourceLocation: sourceLocation)
    try FileSystem.removeTree(directory)
  }

  @Test(arguments: Person.available)
  func `they are read there, and not written, run or found by another app`(person: Person) throws {
    let place = try Place(person)
    let script = """
      echo "${DARKROOM_ASSETS_DIR-none}"; cat /assets/preset /assets/luts/warm 2>/dev/null
      (: >/assets/new) 2>/dev/null && echo written
      (: >>/assets/preset) 2>/dev/null && echo changed
      unlink /assets/preset 2>/dev/null && echo removed
      mkdir /assets/new 2>/dev/null && echo made
      chmod 777 /assets/preset 2>/dev/null && echo opened up
      /assets/preset 2>/dev/null && echo run
      cat '\(place.root)/apps/org.example.other/assets/1/files/preset' 2>/dev/null
      (exec 9</assets/preset && flock -n -x 9 && echo locked only here) 2>/dev/null
      echo end
      """
    #expect(try place.exec(["sh", "-c", script]).command.text == "none\nend\n")
    try publish("shared", place)
    try publish("secret", for: "org.example.other", place)
    // The lock applies to the session's layer; the file of the host is not locked.
    let session = try place.exec(["sh", "-c", script])
    #expect(
      session.command.text == "/assets\nshared\nshared\nlocked only here\nend\n",
      "\(session.command.errors)"
    )
    let cleared = try place.darkroom("assets", ["clear", Place.app])
    #expect(cleared.code == 0, "\(cleared.errors)")
    #expect(try place.exec(["sh", "-c", script]).command.text == "none\nend\n")
  }

  @Test(arguments: Person.available)
  func `a session keeps its set and locks it for nobody, while a new one is published`(person: Person) throws
  {
    let place = try Place(person)
    try publish("old", place)
    let script = """
      exec 9</assets/preset 8</assets; flock -x 9; flock -x 8; echo ready >/session/ready
      while test ! -e /session/go; do sleep 0.05; done
      cat /assets/preset /assets/luts/warm
      """
    let command = try place.startDarkroom("exec", ["--app", Place.app, "--", "bash", "-c", script])
    func content() throws -> String? {
      try place.names("sessions").first.map { "\(place.root)/sessions/\($0)/content" }
    }
    try command.wait(until: { try content().map { try FileSystem.status("\($0)/ready") != nil } ?? false })
    try publish("new", place)
    let files = "\(place.root)/apps/\(Place.app)/assets/1/files"
    #expect(try FileLock.isHeld("\(files)/preset") == false && FileLock.isHeld(files) == false)
    let list = try place.json(try place.darkroom("assets", ["list", Place.app, "--json"]).output)
    let sets = list["sets"]?.elements ?? []
    #expect(sets.map { $0["generation"]?.integer } == [2, 1])
    #expect(sets.map { $0["current"]?.bool } == [true, false])
    #expect(sets.map { $0["used"]?.bool } == [false, true])
    let beside = try place.darkroom("exec", ["--app", Place.app, "--", "cat", "/assets/preset"])
    #expect(beside.text == "new\n", "\(beside.errors)")
    try FileSystem.replaceContents("\(try #require(try content()))/go", with: [])
    let result = try command.end()
    #expect(result.text == "old\nold\n", "\(result.errors)")
    #expect(try place.names("apps/\(Place.app)/assets") == ["2"])
    try place.expectNothingLeft()
  }

  @Test(.enabled(if: Programs.has("python3")), arguments: Person.available)
  func `who watches them sees nothing of what the host does with its files`(person: Person) throws {
    let place = try Place(person)
    try publish("old", place)
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
    let policy = try place.write("watch.json", #"{"name":"watch","extends":"capture","syscalls":\#(calls)}"#)
    let command = try place.startDarkroom(
      "exec",
      ["--app", Place.app, "--policy", policy, "--", "python3", "-c", script]
    )
    func content() throws -> String? {
      try place.names("sessions").first.map { "\(place.root)/sessions/\($0)/content" }
    }
    try command.wait(until: { try content().map { try FileSystem.status("\($0)/ready") != nil } ?? false })
    let file = "\(place.root)/apps/\(Place.app)/assets/1/files/preset"
    #expect(try FileSystem.contents(file) == Array("old\n".utf8))
    try runShell("touch '\(file)'")
    try FileSystem.replaceContents("\(try #require(try content()))/go", with: [])
    let result = try command.end()
    // Control: the watch reports the program's own access.
    #expect(result.text == "True\nTrue\nFalse\n", "\(result.errors)")
  }

  @Test(.enabled(if: NamespaceRefusal.isAvailable))
  func `without namespaces they are read under their true name, and the set is not in reach`() throws {
    let place = try Place(.ordinary)
    place.confinement = NamespaceRefusal.words
    let policy = #"{"name":"loose","extends":"capture","bestEffort":["userNamespace"]}"#
    let options = ["--policy", try place.write("loose.json", policy)]
    try publish("shared", place)
    try publish("secret", for: "org.example.other", place)
    let script = """
      cat "$DARKROOM_ASSETS_DIR/preset"; cd "$DARKROOM_ASSETS_DIR" && ls
      (: >"$DARKROOM_ASSETS_DIR/preset") 2>/dev/null && echo written
      chmod 777 "$DARKROOM_ASSETS_DIR" 2>/dev/null && echo opened up
      "$DARKROOM_ASSETS_DIR/preset" 2>/dev/null && echo run
      ls "$DARKROOM_ASSETS_DIR/.." 2>/dev/null && echo the set is in reach
      cat "$DARKROOM_ASSETS_DIR/../../../../org.example.other/assets/1/files/preset" 2>/dev/null
      echo end
      """
    let session = try place.exec(["sh", "-c", script], options: options)
    #expect(session.command.text == "shared\nluts\npreset\nend\n", "\(session.command.errors)")
  }

  @Test(arguments: Person.available)
  func `a set that cannot be is refused with its reason, and what was shared stays`(person: Person) throws {
    let place = try Place(person)
    try publish("old", place)
    try FileSystem.makeDirectory(place.file("bad"))
    try FileSystem.makeLink("\(place.file("bad"))/link", to: "/etc/passwd")
    try place.give(place.file("bad"))
    let result = try place.darkroom("assets", ["publish", Place.app, place.file("bad")])
    #expect(result.code == 65 && result.errors.contains("link is a symbolic link"), "\(result.errors)")
    let none = try place.darkroom("assets", ["publish", Place.app, place.file("none")])
    #expect(none.code == 66 && none.errors.contains("there is nothing of this name"), "\(none.errors)")
    #expect(try place.exec(["cat", "/assets/preset"]).command.text == "old\n")
  }

  @Test(arguments: Person.available)
  func `uninstalling is refused while a session reads them, and then removes them with the app`(
    person: Person
  )
    throws
  {
    let place = try Place(person)
    try place.installSmall()
    try publish("shared", place)
    let script =
      "echo ready >/session/ready; while test ! -e /session/go; do sleep 0.05; done; cat /assets/preset"
    let command = try place.startDarkroom("exec", ["--app", Place.app, "--", "bash", "-c", script])
    func content() throws -> String? {
      try place.names("sessions").first.map { "\(place.root)/sessions/\($0)/content" }
    }
    try command.wait(until: { try content().map { try FileSystem.status("\($0)/ready") != nil } ?? false })
    let refused = try place.darkroom("uninstall", [Place.app])
    #expect(refused.code != 0 && refused.errors.contains("is running"), "\(refused.errors)")
    try FileSystem.replaceContents("\(try #require(try content()))/go", with: [])
    let result = try command.end()
    #expect(result.text == "shared\n", "\(result.errors)")
    let removed = try place.darkroom("uninstall", [Place.app, "--discard-content"])
    #expect(removed.code == 0, "\(removed.errors)")
    #expect(try place.names("apps") == [".lock"])
    try place.expectNothingLeft()
  }

  @Test func `what is explained of them is what was seen here`() throws {
    let place = try Place(Person.available[0])
    for (options, code) in [([], 0), (["--write"], 1)] as [([String], Int32)] {
      let result = try place.darkroom("explain", ["/assets/preset", "--json"] + options)
      let verdict = try place.json(result.output).elements?.first?["verdict"]?.string
      #expect(verdict == (code == 0 ? "allowed" : "refused"), "\(result.text)")
    }
  }
}
