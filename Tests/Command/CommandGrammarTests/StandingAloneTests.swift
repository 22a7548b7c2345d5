// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandGrammar

@Suite struct StandingAloneTests {
  private func spec(_ alone: CommandSpec.Alone) -> CommandSpec {
    let now = CommandSpec("now", summary: "Do it")
    return CommandSpec(
      "tool",
      summary: "A tool",
      subcommands: [
        CommandSpec("lock", summary: "Lock", subcommands: [now], alone: alone)
      ]
    )
  }

  @Test func `a command that stands alone needs none of those below it`() throws {
    #expect(try spec(.complete).parse(["lock"]).names == ["lock"])
    #expect(try spec(.complete).parse(["lock", "now"]).names == ["lock", "now"])
    #expect(throws: UsageError.self) { try spec(.incomplete).parse(["lock"]) }
    #expect(throws: UsageError.self) { try spec(.complete).parse(["lock", "later"]) }
  }

  @Test func `its usage says so`() throws {
    #expect(try #require(CommandPath(spec(.complete), ["lock"])).usage.first == "[COMMAND]")
    #expect(try #require(CommandPath(spec(.incomplete), ["lock"])).usage.first == "COMMAND")
  }
}
