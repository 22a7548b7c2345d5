// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import Testing

@Suite struct TableFaultTests {
  @Test func `good tables have no faults`() {
    #expect(Sample.root.faults == [])
  }

  @Test func `every contradiction in the tables is found`() {
    let broken = CommandSpec(
      "x",
      summary: "",
      options: [
        .flag("help", help: "mine"), .value("n", "N", .integer(0...1), default: "2", help: "number"),
      ],
      subcommands: [
        CommandSpec(
          "y",
          summary: "y",
          options: [.flag("n", help: "again")],
          arguments: [
            ArgumentSpec("A", .many(atLeast: 0), help: "a"), ArgumentSpec("B", help: ""),
            ArgumentSpec("B", .rest(.separator, atLeast: 0), help: "b"), ArgumentSpec("C", help: "c"),
          ],
          subcommands: [CommandSpec("z", summary: "z"), CommandSpec("z", summary: "z")]
        )
      ]
    )
    let reasons = broken.faults.map(\.reason)
    let expected: [TableFault.Reason] = [
      .optionTwice("--help"), .badDefault(option: "--n"), .undocumented("x"), .optionTwice("--n"),
      .commandTwice("z"),
      .argumentTwice("B"), .argumentsBesideSubcommands, .unreachableArgument("B"), .unreachableArgument("C"),
      .undocumented("B"),
    ]
    for reason in expected { #expect(reasons.contains(reason), "\(reason)") }
  }

  @Test func `a command that is listed by another name than its own is found`() {
    let entries: [(name: String, table: @Sendable () -> CommandSpec)] = [
      ("list", { CommandSpec("list", summary: "List") }),
      ("remove", { CommandSpec("delete", summary: "Delete") }),
    ]
    let spec = CommandSpec("x", summary: "x", subcommands: Subcommands(entries))
    #expect(spec.faults.map(\.reason) == [.commandMisnamed("remove", table: "delete")])
    #expect(spec.faults.map(\.description) == ["x: what is listed as remove calls itself delete"])
  }

  @Test func `no table is made but those of the commands that were named`() throws {
    let entries: [(name: String, table: @Sendable () -> CommandSpec)] = [
      ("list", { CommandSpec("list", summary: "List") }), ("remove", { fatalError("nobody has named it") }),
    ]
    let parsed = try CommandSpec("x", summary: "x", subcommands: Subcommands(entries)).parse(["list"])
    #expect(parsed.names == ["list"])
  }
}
