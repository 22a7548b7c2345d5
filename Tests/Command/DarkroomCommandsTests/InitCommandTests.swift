// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct InitCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  /// Runs `darkroom init` in the test directory.
  private func runInit(_ name: String, _ language: String, _ words: String...) throws -> CommandResult {
    try CommandResult.run(["init", name, "--language", language, "--directory", fixture.directory] + words)
  }

  /// The names in the test directory.
  private var names: Set<String> { get throws { Set(try FileSystem.names(in: fixture.directory)) } }

  @Test(arguments: ["c", "python", "shell", "swift"])
  func `init creates an app with valid manifests in every language`(
    language: String
  ) throws {
    let options = language == "swift" ? ["--darkroom", PackageDirectory.path] : []
    let result = try CommandResult.run(
      ["init", "rose", "--language", language, "--directory", fixture.directory] + options
    )
    #expect(result.code == 0, "\(result.errorOutput)")
    let compiled = ["c", "swift"].contains(language)
    let commands = compiled ? "./build && ./test" : "./test"
    #expect(
      result.lines == [
        "created org.example.rose with the extension org.example.rose.capture in \(fixture.directory)/rose",
        "try it: cd \(fixture.directory)/rose && \(commands)",
      ]
    )
    let bundle = "\(fixture.directory)/rose/bundle"
    if compiled {
      try runShell(
        "mkdir -p '\(bundle)/bin' && cp /bin/true '\(bundle)/Extensions/Capture/capture' && cp /bin/true '\(bundle)/bin/app'"
      )
    }
    let check = try CommandResult.run(["install", "--check", bundle])
    #expect(check.errorOutput == "")
    #expect(check.output == "\(bundle) can be installed: org.example.rose with 1 extension\n")
  }

  @Test func `init --json reports the created files and ids`() throws {
    let result = try runInit("org.flowers.tulip", "shell", "--json")
    #expect(result.code == 0)
    let document = try result.json
    #expect(document["app"] == "org.flowers.tulip")
    #expect(document["extension"] == "org.flowers.tulip.capture")
    #expect(document["name"] == "Tulip")
    #expect(document["language"] == "shell")
    let directory = "\(fixture.directory)/org.flowers.tulip"
    #expect(document["directory"]?.string == (try FileSystem.realPath(directory)))
    #expect(document["commands"] == ["./test"])
    let files = (document["files"]?.elements ?? []).compactMap(\.string)
    try runShell("cd '\(directory)' && [ \"$(find . -type f | wc -l)\" -eq \(files.count) ]")
    for file in files { #expect(try FileSystem.status("\(directory)/\(file)")?.kind == .regular, "\(file)") }
  }

  @Test(arguments: ["Rose", "a b", "../rose", "a..b", "", "-", "rose/"])
  func `init rejects an invalid name and creates nothing`(name: String) throws {
    let before = try names
    let result = try CommandResult.run(
      ["init", "--language", "c", "--directory", fixture.directory, "--", name]
    )
    #expect(result.code == 64)
    #expect(result.output == "")
    #expect(
      result.errorOutput.contains("is not a valid app name") && result.errorOutput.contains("; use a name")
    )
    #expect(try names == before)
  }

  @Test func `a missing or unknown language is a usage error that lists the languages`() throws {
    let unknown = try runInit("rose", "perl")
    #expect(unknown.code == 64)
    #expect(unknown.errorOutput.contains("is not one of swift, c, python, shell"), "\(unknown.errorOutput)")
    let none = try CommandResult.run(["init", "rose"])
    #expect(none.code == 64)
    #expect(
      none.errorOutput.contains("missing option --language LANGUAGE; add --language LANGUAGE"),
      "\(none.errorOutput)"
    )
  }

  @Test func `init never overwrites files but accepts an empty directory`() throws {
    try FileSystem.makeDirectory("\(fixture.directory)/rose")
    #expect(try runInit("rose", "shell").code == 0)
    try fixture.write("rose/shots.txt", "mine\n")
    let before = try names
    let again = try runInit("rose", "python")
    #expect(again.code == 73)
    #expect(
      again.errorOutput == """
        darkroom: \(fixture.directory)/rose: Directory not empty (ENOTEMPTY); choose another name, or another parent \
        directory with --directory DIR

        """
    )
    #expect(try FileSystem.contents("\(fixture.directory)/rose/shots.txt") == Array("mine\n".utf8))
    try fixture.write("file", "mine\n")
    try FileSystem.makeDirectory("\(fixture.directory)/elsewhere")
    try FileSystem.makeSymbolicLink("\(fixture.directory)/link", to: "elsewhere")
    for name in ["file", "link"] {
      let result = try runInit(name, "shell")
      #expect(result.code == 73)
      #expect(result.errorOutput.contains("/\(name): File exists (EEXIST); "), "\(result.errorOutput)")
    }
    #expect(try names == before.union(["file", "link", "elsewhere"]))
    #expect(try FileSystem.names(in: "\(fixture.directory)/elsewhere") == [])
  }

  @Test func `init reports a missing or unusable parent directory`() throws {
    let result = try CommandResult.run(["init", "rose", "--language", "c", "--directory", "/nowhere/at/all"])
    #expect(result.code == 66)
    #expect(
      result.errorOutput.contains(
        "/nowhere/at/all: No such file or directory (ENOENT); create the directory"
      ),
      "\(result.errorOutput)"
    )
    let file = try CommandResult.run(["init", "rose", "--language", "c", "--directory", "/etc/passwd"])
    #expect(file.code == 66)
    #expect(
      file.errorOutput.contains("/etc/passwd: Not a directory (ENOTDIR); choose a directory"),
      "\(file.errorOutput)"
    )
    let refused = try CommandResult.run(["init", "rose", "--language", "c", "--directory", "/proc"])
    #expect(refused.code != 0)
    #expect(refused.errorOutput.contains("/proc"), "\(refused.errorOutput)")
  }

  @Test func `init for Swift records the path of the Darkroom sources or reports that they are missing`()
    throws
  {
    let found = try runInit("rose", "swift", "--darkroom", "\(PackageDirectory.path)/Sources/..")
    #expect(found.code == 0, "\(found.errorOutput)")
    let manifest = try #require(try FileSystem.contents("\(fixture.directory)/rose/Package.swift"))
    let path = try FileSystem.realPath(PackageDirectory.path)
    #expect(String(decoding: manifest, as: UTF8.self).contains("path: \"\(path)\""))

    let wrong = try runInit("tulip", "swift", "--darkroom", fixture.directory)
    #expect(wrong.code == 66)
    #expect(
      wrong.errorOutput.contains("does not contain Darkroom's sources; give the directory"),
      "\(wrong.errorOutput)"
    )
    let useless = try runInit("tulip", "c", "--darkroom", PackageDirectory.path)
    #expect(useless.code == 64)
    #expect(try FileSystem.status("\(fixture.directory)/tulip") == nil)
  }

  @Test func `init finds the sources of its own build and reports them missing for a copied program`()
    throws
  {
    let directory = fixture.directory
    try runShell("cd '\(directory)' && '\(BuiltProgram.path)' init rose --language swift")
    try runShell(
      "cd '\(directory)' && grep -qF \"path: \\\"$(realpath '\(PackageDirectory.path)')\\\"\" rose/Package.swift"
    )
    try runShell(
      """
      cp '\(BuiltProgram.path)' '\(directory)/darkroom' && cd '\(directory)'
      code=0; ./darkroom init tulip --language swift 2>errors || code=$?
      cat errors; [ $code -eq 66 ] && grep -q 'give their directory with --darkroom DIR' errors && [ ! -e tulip ]
      """
    )
  }

  @Test func `a killed init leaves all files or none, and the next init removes the remains`() throws {
    try runShell(
      """
      cd '\(fixture.directory)'; mkdir place; whole=0; none=0
      begin=$(date +%s%N)
      '\(BuiltProgram.path)' init rose --language c --directory place >/dev/null
      whole_time=$((($(date +%s%N) - begin) / 1000))
      all=$(cd place && find rose -type f | sort); rm -r place/rose
      for part in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 22 24 26 28; do
        moment=$((whole_time * part / 20))
        # timeout(1) kills itself as well, and the other may still hold what it made.
        '\(BuiltProgram.path)' init rose --language c --directory place >/dev/null 2>&1 &
        sleep "$(printf '%d.%06d' $((moment / 1000000)) $((moment % 1000000)))"
        kill -KILL $! 2>/dev/null || true
        wait $! || true
        if [ -e place/rose ]; then
          [ "$(cd place && find rose -type f | sort)" = "$all" ]; rm -r place/rose; whole=$((whole + 1))
        else
          none=$((none + 1))
        fi
      done
      echo "$whole were whole, $none were not there"; ls -A place
      mkdir place/.rose.new.mine place/.rose.new.00aa
      '\(BuiltProgram.path)' init rose --language c --directory place >/dev/null
      [ "$(ls -A place | sort | tr '\\n' ' ')" = '.rose.new.mine rose ' ]
      """
    )
  }
}
