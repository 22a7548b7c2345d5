// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of Python virtual environments in shown directories and in bundles.
@Suite(.timeLimit(.minutes(20)), .waiting, .enabled(if: Programs.has("python3")))
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

  private static func place(_ person: Person, _ commands: String) throws -> Place {
    let place = try Place(person, below: ProgramPathTests.elsewhere)
    try runShell("umask 022; cd '\(place.directory)'; chmod 0755 .\n\(wheel)\n\(commands)")
    return place
  }

  /// Returns the report of the module without the minor version of Python.
  private func report(_ session: Place.Session) throws -> [String] {
    try #require(session.command.code == 0, "\(session.command.errors)")
    return try session.text("report").split(separator: "\n").map { line in
      line.replacing(/python3\.[0-9]+/, with: "python3").description
    }
  }

  @Test(arguments: Person.available, ["", "--copies"])
  func `its interpreter runs in it and finds what was installed there`(person: Person, kind: String) throws {
    let place = try Self.place(person, "environment venv \(kind)")
    let venv = place.file("venv")
    let expected = [venv, "\(venv)/bin/python", "\(venv)/lib/python3/site-packages/tiny", "1.0"]
    let shown = ["--read-only", venv]
    let words = ["-m", "tiny"]
    #expect(try report(place.exec(["\(venv)/bin/python"] + words, options: shown)) == expected)
    #expect(try report(place.exec(["venv/bin/python"] + words, options: shown)) == expected)
    let path = ["--env", "PATH=\(venv)/bin:/usr/bin"]
    #expect(try report(place.exec(["python"] + words, options: shown + path)) == expected)
    // The format of scripts that pip installs.
    let script = try place.write(
      "venv/bin/tiny",
      "#!\(venv)/bin/python\nimport runpy\nrunpy.run_module('tiny')\n",
      mode: 0o755
    )
    let command = try place.exec([script], options: shown)
    #expect(command.command.text == "42\n", "\(command.command.errors)")
    let learned = try place.darkroom(
      "policy",
      ["learn", "--untried"] + shown + ["--", "\(venv)/bin/python"] + words
    )
    #expect(learned.code == 0 && learned.errors.contains("42\n"), "\(learned.errors)")
  }

  @Test(arguments: Person.available)
  func `an interpreter that the session is not shown is named with its directory`(person: Person) throws {
    let place = try Self.place(
      person,
      """
      mkdir -p python/bin python/lib && cp /usr/bin/python3 python/bin/python3
      environment venv && ln -sf '\(ProgramPathTests.elsewhere)'/x venv/bin/none
      ln -sf "$PWD/python/bin/python3" venv/bin/python3
      """
    )
    let venv = place.file("venv")
    let words = ["--app", Place.app, "--read-only", venv, "--", "\(venv)/bin/python", "-m", "tiny"]
    let refused = try place.darkroom("exec", words)
    #expect(refused.code == 126)
    let fix =
      "leads to \(place.file("python/bin/python3")), which the session is not shown; add --read-only \(place.file("python"))\n"
    #expect(refused.errors.hasSuffix(fix), "\(refused.errors)")
    let shown = try place.exec(
      Array(words.dropFirst(5)),
      options: ["--read-only", venv, "--read-only", place.file("python")]
    )
    #expect(try report(shown).first == venv)
  }

  /// Returns a test home with a bundle that contains a virtual environment, and an extension for each way to
  /// name its interpreter.
  private static func bundle(_ person: Person, _ kind: String, policy: String = "capture") throws -> Place {
    try place(
      person,
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

  @Test(arguments: Person.available, ["", "--copies"])
  func `in a bundle it runs as an installed extension`(person: Person, kind: String) throws {
    let place = try Self.bundle(person, kind)
    let check = try place.darkroom("install", ["--check", place.file("Bundle")])
    #expect(check.code == 0 && check.errors.isEmpty, "\(check.text)\(check.errors)")
    try place.install(place.file("Bundle"))
    try FileSystem.removeTree(place.file("Bundle"))
    let venv = "/extension/venv"
    for name in ["direct", "script"] {
      let session = try place.run(name, of: Self.app, script: "wait 20s\ndismiss\n")
      let packages = "\(venv)/lib/python3/site-packages/tiny"
      #expect(try report(session) == [venv, "\(venv)/bin/python", packages, "1.0"], "\(name)")
    }
  }

  @Test func `a changed link to the interpreter of an installed extension is not followed`() throws {
    let place = try Self.bundle(Person.available[0], "")
    try place.install(place.file("Bundle"))
    let installed = "\(place.root)/apps/\(Self.app)/bundle/1/Extensions/direct/venv/bin"
    try runShell("chmod u+w '\(installed)' && ln -sfn /usr/bin/env '\(installed)/python3'")
    let refused = try place.darkroom("run", ["\(Self.app).direct"])
    #expect(refused.code != 0 && refused.output.isEmpty)
    #expect(refused.errors.contains("a symbolic link that leads from"), "\(refused.errors)")
    try place.expectNothingLeft()
  }

  @Test(.enabled(if: NamespaceRefusal.isAvailable))
  func `without namespaces an extension's own interpreter runs by its true path`() throws {
    let place = try Self.bundle(
      .ordinary,
      "",
      policy: #"{"name":"loose","extends":"capture","bestEffort":["userNamespace"]}"#
    )
    place.confinement = NamespaceRefusal.words
    try place.install(place.file("Bundle"))
    let session = try place.run("direct", of: Self.app, script: "wait 20s\ndismiss\n")
    let venv = "\(place.root)/apps/\(Self.app)/bundle/1/Extensions/direct/venv"
    #expect(try report(session).prefix(2) == [venv, "\(venv)/bin/python"])
  }
}
