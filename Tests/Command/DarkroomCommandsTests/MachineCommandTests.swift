// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import DarkroomCommands
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Commands that print policies, schemas, completion scripts and the manual.
@Suite struct MachineCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test func `policy list shows the shipped policies with their descriptions`() throws {
    let names = ["base", "capture", "container", "strict"]
    let lines = try fixture.run("policy", "list").lines
    #expect(lines.dropFirst().map { String($0.prefix { $0 != " " }) } == names)
    let policies = try #require(try fixture.run("policy", "list", "--json").json["policies"]?.elements)
    #expect(policies.compactMap { $0["name"]?.string } == names)
    #expect(policies[1]["extends"] == "base")
    #expect(policies[0]["extends"] == nil)
    #expect(policies.allSatisfy { $0["description"]?.string?.isEmpty == false })
  }

  @Test func `the output of policy show is an equivalent policy document`() throws {
    let shown = try fixture.run("policy", "show", "capture")
    #expect(shown.code == 0)
    try fixture.write("flat.json", shown.output)
    #expect(try fixture.run("policy", "show", "\(fixture.directory)/flat.json").output == shown.output)
  }

  @Test func `policy show rejects a missing or invalid policy`() throws {
    let unknown = try fixture.run("policy", "show", "captur")
    #expect(unknown.code == 66)
    #expect(unknown.errorOutput.contains("base, capture, container, strict"))
    #expect(try fixture.run("policy", "show", "./nothing.json").code == 66)
    try fixture.write("wrong.json", "{\n  \"name\": \"wrong\",\n  \"syscals\": {}\n}")
    let wrong = try fixture.run("policy", "show", "\(fixture.directory)/wrong.json")
    #expect(wrong.code == 65)
    #expect(wrong.errorOutput.contains("\(fixture.directory)/wrong.json:3:3: "), "\(wrong.errorOutput)")
  }

  @Test(arguments: ["app", "extension", "policy", "invariants"]) func `the schemas are valid JSON Schemas`(
    name: String
  ) throws {
    let schema = try fixture.run("schema", name).json
    #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
    let expected = [
      "app": "controls", "extension": "executable", "policy": "syscalls", "invariants": "invariants",
    ]
    #expect(schema["properties"]?[try #require(expected[name])] != nil)
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `each shell accepts its completion script`(
    shell: String
  ) throws {
    let script = try fixture.run("completion", shell)
    #expect(script.code == 0)
    #expect(script.output.contains("invalidate"))
    try fixture.write("completion", script.output)
    try runShell(
      "if command -v \(shell) >/dev/null; then \(shell) -n \(fixture.directory)/completion; "
        + "else echo 'SKIP: \(shell) is not installed'; fi"
    )
  }

  @Test func `man writes a page for each command`() throws {
    #expect(try fixture.run("man", "--directory", fixture.directory).output == "")
    for command in DarkroomCommandLine.spec.subcommands {
      let page = try FileSystem.contents("\(fixture.directory)/darkroom-\(command.name).1")
      #expect(page?.isEmpty == false, "\(command.name)")
    }
    let run = try fixture.run("man", "run").output
    #expect(run.contains(".Dt DARKROOM-RUN 1\n"))
    try runShell(
      """
      cmp -s \(fixture.directory)/darkroom-run.1 - <<'PAGE' || exit 1
      \(run)PAGE
      command -v mandoc >/dev/null || { echo 'SKIP: mandoc is not installed'; exit 0; }
      mandoc -T lint -W warning \(fixture.directory)/darkroom*.1
      """
    )
    #expect(try fixture.run("man", "policy", "verify").output.contains(".Dt DARKROOM-POLICY-VERIFY 1\n"))
    #expect(try fixture.run("man", "log", "show").output.contains(".Dt DARKROOM-INSPECT 1\n"))
    #expect(try fixture.run("man", "walk").errorOutput.contains("unknown command 'walk'"))
    #expect(
      try fixture.run("man", "policy", "walk").errorOutput.contains("unknown command 'policy walk'")
    )
    #expect(
      try fixture.run("man", "run", "--directory", fixture.directory).errorOutput.contains(
        "omit COMMAND"
      )
    )
    let refused = try fixture.run("man", "--directory", "/no/such").errorOutput
    #expect(refused.contains("'/no/such'") && refused.contains("give an existing, writable directory"))
  }

  @Test func `mandoc reports no problem in the manual`() throws {
    let manual = try fixture.run("man").output
    #expect(manual.hasPrefix(".Dd "))
    try fixture.write("darkroom.1", manual)
    try runShell(
      """
      command -v mandoc >/dev/null || { echo 'SKIP: mandoc is not installed'; exit 0; }
      # The pages of the commands are not installed here.
      mandoc -T lint -W style \(fixture.directory)/darkroom.1 | grep -v 'referenced manual not found: Xr darkroom-' && exit 1
      mandoc -T ascii \(fixture.directory)/darkroom.1 | col -b | grep -q 'content invalidate'
      """
    )
  }
}
