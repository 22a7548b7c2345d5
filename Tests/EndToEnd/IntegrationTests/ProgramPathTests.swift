// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests that programs run at their own paths and find their files.
@Suite(.timeLimit(.minutes(20)), .waiting, .enabled(if: TestPrograms.has("cc"))) struct ProgramPathTests {
  /// The parent directory for tests that show paths. It is not /tmp, which each session replaces.
  static let elsewhere = TestUser.hasRoot ? "/opt" : CurrentProcess.environment("HOME") ?? "/"

  /// Returns a test home with programs that need a library next to them.
  private static func home(_ user: TestUser) throws -> TestHome {
    let home = try TestHome(user, below: elsewhere)
    try runShell(
      """
      umask 022
      mkdir -p '\(home.file("app/bin"))' '\(home.file("app/lib"))' '\(home.file("near"))' '\(home.file("far"))'
      cd '\(home.directory)'
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
      ln -s '\(home.file("app"))' alias
      """
    )
    return home
  }

  private func lines(_ home: TestHome, _ arguments: [String], _ shown: String...) throws -> String {
    let session = try home.exec(arguments, options: shown.flatMap { ["--read-only", $0] })
    #expect(session.command.code == 0, "\(arguments): \(session.command.errors)")
    return session.command.text
  }

  @Test(arguments: TestUser.available)
  func `a program finds adjacent files and its own path as it does outside`(user: TestUser) throws {
    let home = try Self.home(user)
    for name in ["app/bin/program", "app/bin/link", "near/program"] {
      let path = home.file(name)
      let outside = try home.start([path]).end()
      let shown = home.file(String(name.prefix { $0 != "/" }))
      #expect(outside.text.hasPrefix("42 \(shown)/"), "\(outside.errors)")
      #expect(try lines(home, [path], shown) == outside.text)
      // The working directory of the session differs, so a relative path would not work there.
      #expect(try lines(home, ["./\(name)"], shown) == outside.text)
      #expect(try lines(home, ["near/../\(name)"], shown) == outside.text)
    }
    let alias = home.file("alias/bin/program")
    let text = try lines(home, [alias], home.file("alias"))
    #expect(text == "42 \(alias) \(alias)\n")
    let variable = ["--env", "PATH=/usr/bin:\(home.file("near"))", "--read-only", home.file("near")]
    let found = try home.exec(["program"], options: variable)
    #expect(found.command.text == "42 \(home.file("near/program")) program\n", "\(found.command.errors)")
  }

  @Test(arguments: TestUser.available)
  func `argv of a program has the name that the user typed`(user: TestUser) throws {
    let home = try TestHome(user, below: Self.elsewhere)
    for word in ["sh", "/bin/sh", "/usr/bin/sh"] {
      #expect(try lines(home, [word, "-c", "echo $0"]) == "\(word)\n")
    }
    let script = try home.write("script", "#!/bin/sh\necho \"$0\"\n", mode: 0o755)
    #expect(try lines(home, [script], script) == "\(script)\n")
    // A link outside the shown directories to a program that the policy shows.
    try FileSystem.makeSymbolicLink(home.file("other"), to: "/usr/bin/sh")
    #expect(try lines(home, [home.file("other"), "-c", "echo $0"]) == "/extension/other\n")
    try FileSystem.makeSymbolicLink(home.file("another"), to: script)
    #expect(try lines(home, [home.file("another")]) == "/extension/another\n")
  }

  @Test(arguments: TestUser.available)
  func `refuses a link that leaves the shown directories, with a sufficient fix`(user: TestUser) throws {
    let home = try Self.home(user)
    let (program, far, near) = (home.file("far/link"), home.file("far"), home.file("near"))
    let refused = try home.darkroom("exec", ["--app", TestHome.app, "--read-only", far, "--", program])
    #expect(refused.code == 126 && refused.output.isEmpty)
    let fix = "add --read-only \(near)\n"
    #expect(
      refused.errors.hasSuffix("leads to ../near/program, which the sandbox does not show; \(fix)"),
      "\(refused.errors)"
    )
    #expect(try lines(home, [program], far, near).hasPrefix("42 "))
  }

  @Test(arguments: TestUser.available)
  func `links in a shown directory do not reach other files of the host`(user: TestUser) throws {
    let home = try TestHome(user, below: Self.elsewhere)
    let secret = try home.write("secret", "secret\n")
    try runShell(
      """
      umask 022; chmod 0755 '\(home.directory)'; mkdir '\(home.file("shown"))'; cd '\(home.file("shown"))'
      echo shown >file; ln -s file inside; ln -s '\(secret)' absolute; ln -s ../secret relative
      ln -s /proc/1/root'\(secret)' process; ln -s .. above
      """
    )
    let shown = home.file("shown")
    let script =
      "cd \(shown); for f in inside absolute relative process above/secret; do cat $f; done 2>&1 | grep -v '^cat:'; true"
    // Outside the sandbox, all links except the one into another process can be followed.
    let outside = try home.start(["/bin/sh", "-c", script]).end()
    #expect(outside.text.hasPrefix("shown\nsecret\nsecret\n"), "\(outside.text)")
    #expect(try lines(home, ["sh", "-c", script], shown) == "shown\n")
    guard user == .regular, NamespaceRefusal.isAvailable else { return }
    home.confinementPrefix = NamespaceRefusal.commandPrefix
    let loose = #"{"name":"loose","extends":"capture",\#(NamespaceRefusal.permission)}"#
    let policy = ["--policy", try home.write("loose.json", loose), "--read-only", shown]
    #expect(try home.exec(["sh", "-c", script], options: policy).command.text == "shown\n")
  }

  @Test(arguments: TestUser.available)
  func `names the missing libraries of a lone program and the directory that has them`(user: TestUser)
    throws
  {
    let home = try Self.home(user)
    for (program, shown) in [("near/program", "near"), ("app/bin/program", "app"), ("app/bin/link", "app")] {
      let session = try home.exec([home.file(program)])
      #expect(session.command.code == 127)
      let note =
        "darkroom: \(home.file(program)) requires libnumber.so, which the sandbox does not show; add --read-only \(home.file(shown))"
      #expect(session.command.errors.hasPrefix("\(note)\n"), "\(session.command.errors)")
      let fixed = try home.exec([home.file(program)], options: ["--read-only", home.file(shown)])
      #expect(fixed.command.text.hasPrefix("42 ") && fixed.command.errors.isEmpty, "\(fixed.command.errors)")
    }
    try runShell("rm '\(home.file("near/libnumber.so"))'")
    let missing = try home.exec([home.file("near/program")])
    let note =
      "requires libnumber.so, not found in the program's search path or in a system directory; "
    #expect(missing.command.errors.contains(note), "\(missing.command.errors)")
  }

  @Test(arguments: TestUser.available)
  func `refuses a program without its interpreter or loader before the launch`(user: TestUser)
    throws
  {
    let home = try Self.home(user)
    try runShell(
      """
      umask 022; cd '\(home.directory)'; mkdir own own/bin own/lib
      cp /bin/dash own/bin/shell
      printf '#!%s\\necho started\\n' '\(home.file("own/bin/shell"))' >hidden
      printf '#!/no/such/shell\\n' >missing
      printf '#!shell\\n' >relative
      printf '#!/usr/bin/env no-such-name\\n' >named
      chmod 0755 hidden missing relative named
      cp "$(ldd /bin/true | grep -o '/[^ ]*ld-linux[^ ]*')" own/bin/loader
      cc -o loaded program.c -L near -lnumber -Wl,--dynamic-linker,'\(home.file("own/bin/loader"))'
      """
    )
    for (name, part) in [
      ("hidden", "its interpreter \(home.file("own/bin/shell")); add --read-only \(home.file("own"))"),
      ("missing", "its interpreter /no/such/shell does not exist on this machine; "),
      ("relative", "does not name an interpreter by an absolute path; "),
      ("named", "searches for no-such-name, which is not in PATH ("),
      (
        "loaded",
        "its loader \(home.file("own/bin/loader")); add --read-only \(home.file("own")), or link the program statically"
      ),
    ] {
      let result = try home.darkroom("exec", ["--app", TestHome.app, "--", home.file(name)])
      #expect(result.code == 126 && result.output.isEmpty, "\(name): \(result.code)")
      #expect(result.errors.contains(part), "\(name): \(result.errors)")
    }
    try home.expectNothingLeft()
    #expect(try lines(home, [home.file("hidden")], home.file("own")) == "started\n")
    let once = ["--app", TestHome.app, "--policy", "strict", "--", home.file("hidden")]
    let script = try home.darkroom("exec", once)
    #expect(
      script.code == 126 && script.errors.contains("the policy strict does not allow scripts"),
      "\(script.errors)"
    )
  }

  @Test(arguments: TestUser.available)
  func `a static program runs once under strict by its path and by a link`(user: TestUser) throws {
    let home = try TestHome(user, below: Self.elsewhere)
    try home.write("static.c", "#include <stdio.h>\nint main(int c, char **v) { return puts(v[0]) < c; }\n")
    try runShell(
      """
      umask 022; cd '\(home.directory)'; chmod 0755 .; mkdir shown; cc -static -o shown/program static.c
      ln -s program shown/link
      """
    )
    for name in ["shown/program", "shown/link"] {
      let path = home.file(name)
      let session = try home.exec(
        [path],
        options: ["--policy", "strict", "--read-only", home.file("shown")]
      )
      #expect(session.command.text == "\(path)\n", "\(session.command.errors)")
    }
  }

  @Test(arguments: TestUser.available)
  func `an extension finds its bundled libraries, and install reports a missing one`(
    user: TestUser
  ) throws {
    let home = try Self.home(user)
    let id = "org.example.libraries"
    try runShell(
      """
      umask 022; cd '\(home.directory)'; mkdir -p Bundle/Extensions; cp -r app Bundle/Extensions/Capture
      printf '{"id": "\(id)", "name": "Libraries"}' >Bundle/app.json
      printf '{"id": "\(id).capture", "name": "Capture", "executable": "bin/link", "protocol": "none"}' \\
        >Bundle/Extensions/Capture/extension.json
      """
    )
    let check = try home.darkroom("install", ["--check", home.file("Bundle")])
    #expect(check.code == 0 && check.errors.isEmpty, "\(check.errors)")
    try home.install(home.file("Bundle"))
    let session = try home.run("capture", of: id, script: "wait 20s\ndismiss\n")
    let inside = "/extension/bin"
    #expect(
      session.command.errors.contains("42 \(inside)/program \(inside)/link"),
      "\(session.command.errors)"
    )
    try runShell("rm '\(home.file("Bundle/Extensions/Capture/lib/libnumber.so"))'")
    let missing = try home.darkroom("install", ["--check", home.file("Bundle")])
    #expect(
      missing.code == 0
        && missing.errors.contains("a session does not find the program's libraries libnumber.so; "),
      "\(missing.errors)"
    )
  }

  @Test(arguments: TestUser.available)
  func `a server runs a relative program of its client by its absolute path`(user: TestUser) throws {
    let home = try Self.home(user)
    let server = try RunningServer(home)
    let arguments = ["--app", TestHome.app, "--read-only", home.file("near"), "--", "near/program"]
    let result = try home.darkroom("exec", arguments)
    let path = home.file("near/program")
    #expect(result.text == "42 \(path) \(path)\n", "\(result.errors)")
    try server.wait(for: "ended")
    #expect(try server.refusals() == [])
  }

  @Test(.enabled(if: NamespaceRefusal.isAvailable))
  func `a restricted session runs a program by its own path`() throws {
    let home = try Self.home(.regular)
    home.confinementPrefix = NamespaceRefusal.commandPrefix
    let policy = try home.write(
      "loose.json",
      #"{"name":"loose","extends":"capture",\#(NamespaceRefusal.permission)}"#
    )
    let path = home.file("app/bin/link")
    let options = ["--policy", policy, "--read-only", home.file("app")]
    let session = try home.exec([path], options: options)
    #expect(
      session.command.text == "42 \(home.file("app/bin/program")) \(path)\n",
      "\(session.command.errors)"
    )
    let lone = try home.exec(["./near/program"], options: ["--policy", policy])
    #expect(lone.command.code == 127 && lone.command.errors.contains("add --read-only \(home.file("near"))"))
    let named = try home.exec(["sh", "-c", "echo $0"], options: ["--policy", policy])
    #expect(named.command.text == "sh\n")
  }
}
