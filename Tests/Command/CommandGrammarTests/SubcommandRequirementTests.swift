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

  @Test func `the default subcommand runs if none is named, and its options are accepted`() throws {
    let limit = OptionSpec.value("limit", short: "l", "N", .integer(1...9), help: "Print at most N entries")
    let spec = CommandSpec(
      "tool",
      summary: "Run a tool",
      subcommands: [
        CommandSpec(
          "logs",
          summary: "List the log",
          subcommands: [
            CommandSpec("list", summary: "List entries", options: [limit]),
            CommandSpec("verify", summary: "Verify the log"),
          ],
          subcommandRequirement: .defaultsTo("list")
        )
      ]
    )
    #expect(spec.faults == [])
    #expect(try spec.parse(["logs"]).names == ["logs", "list"])
    #expect(try spec.parse(["logs", "--limit", "3"]).integer(of: limit) == 3)
    #expect(try spec.parse(["logs", "-l3"]).names == ["logs", "list"])
    #expect(try spec.parse(["logs", "verify"]).names == ["logs", "verify"])
    #expect(try spec.parse(["logs", "--help"]).names == ["logs"])
    #expect(throws: UsageError.self) { try spec.parse(["logs", "verify", "--limit", "3"]) }
    let misspelled = #expect(throws: UsageError.self) { try spec.parse(["logs", "--limt", "3"]) }
    #expect(misspelled?.description.contains("did you mean '--limit'?") == true)
    #expect(try #require(CommandPath(spec, ["logs"])).usage.first == "[COMMAND]")
  }

  @Test func `the usage shows whether a subcommand is optional`() throws {
    #expect(try #require(CommandPath(spec(.optional), ["lock"])).usage.first == "[COMMAND]")
    #expect(try #require(CommandPath(spec(.required), ["lock"])).usage.first == "COMMAND")
  }
}
