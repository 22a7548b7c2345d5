// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of Python virtual environments in shown directories and in bundles.
@Suite(.timeLimit(.minutes(20)), .waiting, .enabled(if: TestPrograms.has("python3")))
struct VirtualEnvironmentTests {
  private static let app = "org.example.environment"

  /// Creates a virtual environment and installs a wheel as pip does:
  /// the files of the wheel go to `site-packages`. Its module reports its own directory and its interpreter.
  private static let wheel = """
    environment() {
      /usr/bin/python3 -m venv --without-pip $2 "$1"
      mkdir wheel wheel/tiny wheel/tiny-1.0.dist-info
      printf 'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n' >wheel/tiny-1.0.dist-info/METADATA
      printf 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n' >wheel/tiny-1.0.dist-info/WHEEL
      printf 'tiny/__init__.py,,\\ntiny/__main__.py,,\\n' >wheel/tiny-1.0.dist-info/RECORD
      echo 'answer = 42' >wheel/tiny/__init__.py
      cat >wheel/tiny/__main__.py <<'END'
    import importlib.metadata, os, sys, tiny
    report = [sys.prefix, sys.executable, os.path.dirname(tiny.__file__), importlib.metadata.version("tiny")]
    with open(os.environ["DARKROOM_SESSION_DIR"] + "/report", "w") as file: file.write("\\n".join(report))
    print(tiny.answer)
    END
      (cd wheel && /usr/bin/python3 -m zipfile -c ../tiny-1.0-py3-none-any.whl tiny tiny-1.0.dist-info)
      rm -r wheel
      /usr/bin/python3 -m zipfile -e tiny-1.0-py3-none-any.whl "$1"/lib/python3*/site-packages
    }
    """

  private static func home(_ user: TestUser, _ commands: String) throws -> TestHome {
    let home = try TestHome(user, below: ProgramPathTests.elsewhere)
    try runShell("umask 022; cd '\(home.directory)'; chmod 0755 .\n\(wheel)\n\(commands)")
    return home
  }

  /// Returns the report of the module without the minor version of Python.
  private func report(_ session: TestHome.Session) throws -> [String] {
    try #require(session.command.code == 0, "\(session.command.errors)")
    return try session.text("report").split(separator: "\n").map { line in
      line.replacing(/python3\.[0-9]+/, with: "python3").description
    }
  }

  @Test(arguments: TestUser.available, ["", "--copies"])
  func `the interpreter of a virtual environment finds its packages`(user: TestUser, kind: String) throws {
    let home = try Self.home(user, "environment venv \(kind)")
    let venv = home.file("venv")
    let expected = [venv, "\(venv)/bin/python", "\(venv)/lib/python3/site-packages/tiny", "1.0"]
    let shown = ["--read-only", venv]
    let arguments = ["-m", "tiny"]
    #expect(try report(home.exec(["\(venv)/bin/python"] + arguments, options: shown)) == expected)
    #expect(try report(home.exec(["venv/bin/python"] + arguments, options: shown)) == expected)
    let path = ["--env", "PATH=\(venv)/bin:/usr/bin"]
    #expect(try report(home.exec(["python"] + arguments, options: shown + path)) == expected)
    // The format of scripts that pip installs.
    let script = try home.write(
      "venv/bin/tiny",
      "#!\(venv)/bin/python\nimport runpy\nrunpy.run_module('tiny')\n",
      mode: 0o755
    )
    let command = try home.exec([script], options: shown)
    #expect(command.command.text == "42\n", "\(command.command.errors)")
    let learned = try home.darkroom(
      "policy",
      ["learn", "--untried"] + shown + ["--", "\(venv)/bin/python"] + arguments
    )
    #expect(learned.code == 0 && learned.errors.contains("42\n"), "\(learned.errors)")
  }

  @Test(arguments: TestUser.available)
  func `names an interpreter outside the shown directories with its directory`(user: TestUser) throws {
    let home = try Self.home(
      user,
      """
      mkdir -p python/bin python/lib && cp /usr/bin/python3 python/bin/python3
      environment venv && ln -sf '\(ProgramPathTests.elsewhere)'/x venv/bin/none
      ln -sf "$PWD/python/bin/python3" venv/bin/python3
      """
    )
    let venv = home.file("venv")
    let arguments = ["--app", TestHome.app, "--read-only", venv, "--", "\(venv)/bin/python", "-m", "tiny"]
    let refused = try home.darkroom("exec", arguments)
    #expect(refused.code == 126)
    let fix =
      "leads to \(home.file("python/bin/python3")), which the sandbox does not show; add --read-only \(home.file("python"))\n"
    #expect(refused.errors.hasSuffix(fix), "\(refused.errors)")
    let shown = try home.exec(
      Array(arguments.dropFirst(5)),
      options: ["--read-only", venv, "--read-only", home.file("python")]
    )
    #expect(try report(shown).first == venv)
  }

  /// Returns a test home with a bundle that contains a virtual environment, and an extension for each way to
  /// name its interpreter.
  private static func bundle(_ user: TestUser, _ kind: String, policy: String = "capture") throws -> TestHome
  {
    try home(
      user,
      """
      environment venv \(kind)
      extension() {
        mkdir -p "Bundle/Extensions/$1"
        cp -r venv "Bundle/Extensions/$1/"
        printf '%s' '\(policy)' >"Bundle/Extensions/$1/own.json"
        printf '{"id": "\(app).%s", "name": "%s", "protocol": "none", "policy": "\(policy == "capture" ? policy : "own.json")", %s}' \\
          "$1" "$1" "$2" >"Bundle/Extensions/$1/extension.json"
      }
      extension direct '"executable": "venv/bin/python", "arguments": ["-I", "-m", "tiny"]'
      extension script '"executable": "capture"'
      printf '#!/extension/venv/bin/python -I\\nimport runpy\\nrunpy.run_module("tiny.__main__")\\n' >Bundle/Extensions/script/capture
      chmod 0755 Bundle/Extensions/script/capture
      printf '{"id": "\(app)", "name": "Environment"}' >Bundle/app.json
      rm -r venv
      """
    )
  }

  @Test(arguments: TestUser.available, ["", "--copies"])
  func `a virtual environment in a bundle runs as an installed extension`(user: TestUser, kind: String) throws
  {
    let home = try Self.bundle(user, kind)
    let check = try home.darkroom("install", ["--check", home.file("Bundle")])
    #expect(check.code == 0 && check.errors.isEmpty, "\(check.text)\(check.errors)")
    try home.install(home.file("Bundle"))
    try FileSystem.removeTree(home.file("Bundle"))
    let venv = "/extension/venv"
    for name in ["direct", "script"] {
      let session = try home.run(name, of: Self.app, script: "wait 20s\ndismiss\n")
      let packages = "\(venv)/lib/python3/site-packages/tiny"
      #expect(try report(session) == [venv, "\(venv)/bin/python", packages, "1.0"], "\(name)")
    }
  }

  @Test func `refuses a changed link to the interpreter of an installed extension`() throws {
    let home = try Self.bundle(TestUser.available[0], "")
    try home.install(home.file("Bundle"))
    let installed = "\(home.root)/apps/\(Self.app)/bundle/1/Extensions/direct/venv/bin"
    try runShell("chmod u+w '\(installed)' && ln -sfn /usr/bin/env '\(installed)/python3'")
    let refused = try home.darkroom("run", ["\(Self.app).direct"])
    #expect(refused.code != 0 && refused.output.isEmpty)
    #expect(refused.errors.contains("a symbolic link that leads from"), "\(refused.errors)")
    try home.expectNothingLeft()
  }

  @Test(.enabled(if: NamespaceRefusal.isAvailable))
  func `a restricted session runs the interpreter of a bundle by its host path`() throws {
    let home = try Self.bundle(
      .regular,
      "",
      policy: #"{"name":"loose","extends":"capture",\#(NamespaceRefusal.permission)}"#
    )
    home.confinementPrefix = NamespaceRefusal.commandPrefix
    try home.install(home.file("Bundle"))
    let session = try home.run("direct", of: Self.app, script: "wait 20s\ndismiss\n")
    let venv = "\(home.root)/apps/\(Self.app)/bundle/1/Extensions/direct/venv"
    #expect(try report(session).prefix(2) == [venv, "\(venv)/bin/python"])
  }
}
