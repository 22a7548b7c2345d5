// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandGrammar

@Suite struct SubcommandRequirementTests {
  private func spec(_ subcommandRequirement: CommandSpec.SubcommandRequirement) -> CommandSpec {
    let leaf = CommandSpec("now", summary: "Do it")
    return CommandSpec(
      "tool",
      summary: "A tool",
      subcommands: [
        CommandSpec(
          "lock",
          summary: "Lock",
          subcommands: [leaf],
          subcommandRequirement: subcommandRequirement
        )
      ]
    )
  }

  @Test func `a command with optional subcommands runs without a subcommand`() throws {
    #expect(try spec(.optional).parse(["lock"]).names == ["lock"])
    #expect(try spec(.optional).parse(["lock", "now"]).names == ["lock", "now"])
    #expect(throws: UsageError.self) { try spec(.required).parse(["lock"]) }
    #expect(throws: UsageError.self) { try spec(.optional).parse(["lock", "later"]) }
  }

  @Test func `the usage shows whether a subcommand is optional`() throws {
    #expect(try #require(CommandPath(spec(.optional), ["lock"])).usage.first == "[COMMAND]")
    #expect(try #require(CommandPath(spec(.required), ["lock"])).usage.first == "COMMAND")
  }
}
