// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests that programs run at their own paths and find their files.
@Suite(.timeLimit(.minutes(20)), .waiting, .enabled(if: Programs.has("cc"))) struct ProgramPathTests {
  /// The parent directory for tests that show paths. It is not /tmp, which each session replaces.
  static let elsewhere = Person.hasRoot ? "/opt" : CurrentProcess.environment("HOME") ?? "/"

  /// Returns a test home with programs that need a library next to them.
  private static func place(_ person: Person) throws -> Place {
    let place = try Place(person, below: elsewhere)
    try runShell(
      """
      umask 022
      mkdir -p '\(place.file("app/bin"))' '\(place.file("app/lib"))' '\(place.file("near"))' '\(place.file("far"))'
      cd '\(place.directory)'
      chmod 0755 .
      echo 'int number(void) { return 42; }' >number.c
      cat >program.c <<'END'
      #include <stdio.h>
      #include <unistd.h>
      int number(void);
      int main(int count, char **words) {
        char path[4096] = {0};
        readlink("/proc/self/exe", path, sizeof path - 1);
        printf("%d %s %s\\n", number(), path, words[0]);
        return count - 1;
      }
      END
      cc -shared -fPIC -o app/lib/libnumber.so number.c
      cc -o app/bin/program program.c -L app/lib -lnumber -Wl,-rpath,'$ORIGIN/../lib'
      cp app/lib/libnumber.so near/
      cc -o near/program program.c -L near -lnumber -Wl,-rpath,'$ORIGIN'
      ln -s program app/bin/link
      ln -s ../near/program far/link
      ln -s '\(place.file("app"))' alias
      """
    )
    return place
  }

  private func lines(_ place: Place, _ words: [String], _ shown: String...) throws -> String {
    let session = try place.exec(words, options: shown.flatMap { ["--read-only", $0] })
    #expect(session.command.code == 0, "\(words): \(session.command.errors)")
    return session.command.text
  }

  @Test(arguments: Person.available)
  func `a program finds the files next to it, and itself, as outside`(person: Person) throws {
    let place = try Self.place(person)
    for name in ["app/bin/program", "app/bin/link", "near/program"] {
      let path = place.file(name)
      let outside = try place.start([path]).end()
      let shown = place.file(String(name.prefix { $0 != "/" }))
      #expect(outside.text.hasPrefix("42 \(shown)/"), "\(outside.errors)")
      #expect(try lines(place, [path], shown) == outside.text)
      // The working directory of the session differs, so a relative path would not work there.
      #expect(try lines(place, ["./\(name)"], shown) == outside.text)
      #expect(try lines(place, ["near/../\(name)"], shown) == outside.text)
    }
    let alias = place.file("alias/bin/program")
    let text = try lines(place, [alias], place.file("alias"))
    #expect(text == "42 \(alias) \(alias)\n")
    let variable = ["--env", "PATH=/usr/bin:\(place.file("near"))", "--read-only", place.file("near")]
    let found = try place.exec(["program"], options: variable)
    #expect(found.command.text == "42 \(place.file("near/program")) program\n", "\(found.command.errors)")
  }

  @Test(arguments: Person.available)
  func `a program's own name is the one that the user typed`(person: Person) throws {
    let place = try Place(person, below: Self.elsewhere)
    for word in ["sh", "/bin/sh", "/usr/bin/sh"] {
      #expect(try lines(place, [word, "-c", "echo $0"]) == "\(word)\n")
    }
    let script = try place.write("script", "#!/bin/sh\necho \"$0\"\n", mode: 0o755)
    #expect(try lines(place, [script], script) == "\(script)\n")
    // A link outside the shown directories to a program that the policy shows.
    try FileSystem.makeLink(place.file("other"), to: "/usr/bin/sh")
    #expect(try lines(place, [place.file("other"), "-c", "echo $0"]) == "/extension/other\n")
    try FileSystem.makeLink(place.file("another"), to: script)
    #expect(try lines(place, [place.file("another")]) == "/extension/another\n")
  }

  @Test(arguments: Person.available)
  func `a link out of what is shown is refused with a fix that suffices`(person: Person) throws {
    let place = try Self.place(person)
    let (program, far, near) = (place.file("far/link"), place.file("far"), place.file("near"))
    let refused = try place.darkroom("exec", ["--app", Place.app, "--read-only", far, "--", program])
    #expect(refused.code == 126 && refused.output.isEmpty)
    let fix = "add --read-only \(near)\n"
    #expect(
      refused.errors.hasSuffix("leads to ../near/program, which the session is not shown; \(fix)"),
      "\(refused.errors)"
    )
    #expect(try lines(place, [program], far, near).hasPrefix("42 "))
  }

  @Test(arguments: Person.available)
  func `a link in what is shown leads to nothing else of the host`(person: Person) throws {
    let place = try Place(person, below: Self.elsewhere)
    let secret = try place.write("secret", "secret\n")
    try runShell(
      """
      umask 022; chmod 0755 '\(place.directory)'; mkdir '\(place.file("shown"))'; cd '\(place.file("shown"))'
      echo shown >file; ln -s file inside; ln -s '\(secret)' absolute; ln -s ../secret relative
      ln -s /proc/1/root'\(secret)' process; ln -s .. above
      """
    )
    let shown = place.file("shown")
    let script =
      "cd \(shown); for f in inside absolute relative process above/secret; do cat $f; done 2>&1 | grep -v '^cat:'; true"
    // Outside the sandbox, all links except the one into another process can be followed.
    let outside = try place.start(["/bin/sh", "-c", script]).end()
    #expect(outside.text.hasPrefix("shown\nsecret\nsecret\n"), "\(outside.text)")
    #expect(try lines(place, ["sh", "-c", script], shown) == "shown\n")
    guard person == .ordinary, NamespaceRefusal.isAvailable else { return }
    place.confinement = NamespaceRefusal.words
    let loose = #"{"name":"loose","extends":"capture","bestEffort":["userNamespace"]}"#
    let policy = ["--policy", try place.write("loose.json", loose), "--read-only", shown]
    #expect(try place.exec(["sh", "-c", script], options: policy).command.text == "shown\n")
  }

  @Test(arguments: Person.available)
  func `of a lone program the libraries that it will miss are named, with what shows them`(person: Person)
    throws
  {
    let place = try Self.place(person)
    for (program, shown) in [("near/program", "near"), ("app/bin/program", "app"), ("app/bin/link", "app")] {
      let session = try place.exec([place.file(program)])
      #expect(session.command.code == 127)
      let note =
        "darkroom: \(place.file(program)) needs libnumber.so, which the session is not shown; add --read-only \(place.file(shown))"
      #expect(session.command.errors.hasPrefix("\(note)\n"), "\(session.command.errors)")
      let fixed = try place.exec([place.file(program)], options: ["--read-only", place.file(shown)])
      #expect(fixed.command.text.hasPrefix("42 ") && fixed.command.errors.isEmpty, "\(fixed.command.errors)")
    }
    try runShell("rm '\(place.file("near/libnumber.so"))'")
    let missing = try place.exec([place.file("near/program")])
    let note =
      "needs libnumber.so, which is neither where the program looks nor in a directory of the system; "
    #expect(missing.command.errors.contains(note), "\(missing.command.errors)")
  }

  @Test(arguments: Person.available)
  func `a program without its interpreter or its loader is refused before anything runs`(person: Person)
    throws
  {
    let place = try Self.place(person)
    try runShell(
      """
      umask 022; cd '\(place.directory)'; mkdir own own/bin own/lib
      cp /bin/dash own/bin/shell
      printf '#!%s\\necho started\\n' '\(place.file("own/bin/shell"))' >hidden
      printf '#!/no/such/shell\\n' >missing
      printf '#!shell\\n' >relative
      printf '#!/usr/bin/env no-such-name\\n' >named
      chmod 0755 hidden missing relative named
      cp "$(ldd /bin/true | grep -o '/[^ ]*ld-linux[^ ]*')" own/bin/loader
      cc -o loaded program.c -L near -lnumber -Wl,--dynamic-linker,'\(place.file("own/bin/loader"))'
      """
    )
    for (name, part) in [
      ("hidden", "its interpreter \(place.file("own/bin/shell")); add --read-only \(place.file("own"))"),
      ("missing", "this machine does not have its interpreter /no/such/shell; "),
      ("relative", "names no interpreter by an absolute path; "),
      ("named", "looks for no-such-name in PATH ("),
      (
        "loaded",
        "its loader \(place.file("own/bin/loader")); add --read-only \(place.file("own")), or link the program statically"
      ),
    ] {
      let result = try place.darkroom("exec", ["--app", Place.app, "--", place.file(name)])
      #expect(result.code == 126 && result.output.isEmpty, "\(name): \(result.code)")
      #expect(result.errors.contains(part), "\(name): \(result.errors)")
    }
    try place.expectNothingLeft()
    #expect(try lines(place, [place.file("hidden")], place.file("own")) == "started\n")
    let once = ["--app", Place.app, "--policy", "strict", "--", place.file("hidden")]
    let script = try place.darkroom("exec", once)
    #expect(
      script.code == 126 && script.errors.contains("the policy strict lets no script run"),
      "\(script.errors)"
    )
  }

  @Test(arguments: Person.available)
  func `a static program runs once under strict by its path, and by a link`(person: Person) throws {
    let place = try Place(person, below: Self.elsewhere)
    try place.write("static.c", "#include <stdio.h>\nint main(int c, char **v) { return puts(v[0]) < c; }\n")
    try runShell(
      """
      umask 022; cd '\(place.directory)'; chmod 0755 .; mkdir shown; cc -static -o shown/program static.c
      ln -s program shown/link
      """
    )
    for name in ["shown/program", "shown/link"] {
      let path = place.file(name)
      let session = try place.exec(
        [path],
        options: ["--policy", "strict", "--read-only", place.file("shown")]
      )
      #expect(session.command.text == "\(path)\n", "\(session.command.errors)")
    }
  }

  @Test(arguments: Person.available)
  func `an installed extension finds the libraries of its bundle, and a missing one is named before`(
    person: Person
  ) throws {
    let place = try Self.place(person)
    let id = "org.example.libraries"
    try runShell(
      """
      umask 022; cd '\(place.directory)'; mkdir -p Bundle/Extensions; cp -r app Bundle/Extensions/Capture
      printf '{"id": "\(id)", "name": "Libraries"}' >Bundle/app.json
      printf '{"id": "\(id).capture", "name": "Capture", "executable": "bin/link", "protocol": "none"}' \\
        >Bundle/Extensions/Capture/extension.json
      """
    )
    let check = try place.darkroom("install", ["--check", place.file("Bundle")])
    #expect(check.code == 0 && check.errors.isEmpty, "\(check.errors)")
    try place.install(place.file("Bundle"))
    let session = try place.run("capture", of: id, script: "wait 20s\ndismiss\n")
    let inside = "/extension/bin"
    #expect(
      session.command.errors.contains("42 \(inside)/program \(inside)/link"),
      "\(session.command.errors)"
    )
    try runShell("rm '\(place.file("Bundle/Extensions/Capture/lib/libnumber.so"))'")
    let missing = try place.darkroom("install", ["--check", place.file("Bundle")])
    #expect(
      missing.code == 0 && missing.errors.contains("is loaded with: libnumber.so; "),
      "\(missing.errors)"
    )
  }

  @Test(arguments: Person.available)
  func `a server runs a program of its client's directory by its own path`(person: Person) throws {
    let place = try Self.place(person)
    let server = try RunningServer(place)
    let words = ["--app", Place.app, "--read-only", place.file("near"), "--", "near/program"]
    let result = try place.darkroom("exec", words)
    let path = place.file("near/program")
    #expect(result.text == "42 \(path) \(path)\n", "\(result.errors)")
    try server.wait(for: "ended")
    #expect(try server.refusals() == [])
  }

  @Test(.enabled(if: NamespaceRefusal.isAvailable))
  func `without namespaces a program runs at its own path as well`() throws {
    let place = try Self.place(.ordinary)
    place.confinement = NamespaceRefusal.words
    let policy = try place.write(
      "loose.json",
      #"{"name":"loose","extends":"capture","bestEffort":["userNamespace"]}"#
    )
    let path = place.file("app/bin/link")
    let options = ["--policy", policy, "--read-only", place.file("app")]
    let session = try place.exec([path], options: options)
    #expect(
      session.command.text == "42 \(place.file("app/bin/program")) \(path)\n",
      "\(session.command.errors)"
    )
    let lone = try place.exec(["./near/program"], options: ["--policy", policy])
    #expect(lone.command.code == 127 && lone.command.errors.contains("add --read-only \(place.file("near"))"))
    let named = try place.exec(["sh", "-c", "echo $0"], options: ["--policy", policy])
    #expect(named.command.text == "sh\n")
  }
}
