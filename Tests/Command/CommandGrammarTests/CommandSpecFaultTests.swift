// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import Testing

@Suite struct CommandSpecFaultTests {
  @Test func `a correct command spec has no faults`() {
    #expect(Sample.root.faults == [])
  }

  @Test func `finds every contradiction in a command spec`() {
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
    let expected: [CommandSpecFault.Reason] = [
      .duplicateOption("--help"), .invalidDefault(option: "--n"), .undocumented("x"), .duplicateOption("--n"),
      .duplicateCommand("z"),
      .duplicateArgument("B"), .argumentsAndSubcommands, .unreachableArgument("B"), .unreachableArgument("C"),
      .undocumented("B"),
    ]
    for reason in expected { #expect(reasons.contains(reason), "\(reason)") }
  }

  @Test func `finds a subcommand whose listed name differs from the name in its spec`() {
    let entries: [(name: String, table: @Sendable () -> CommandSpec)] = [
      ("list", { CommandSpec("list", summary: "List") }),
      ("remove", { CommandSpec("delete", summary: "Delete") }),
    ]
    let spec = CommandSpec("x", summary: "x", subcommands: Subcommands(entries))
    #expect(spec.faults.map(\.reason) == [.commandNameMismatch("remove", table: "delete")])
    #expect(spec.faults.map(\.description) == ["x: what is listed as remove calls itself delete"])
  }

  @Test func `creates only the specs of the commands on the command line`() throws {
    let entries: [(name: String, table: @Sendable () -> CommandSpec)] = [
      ("list", { CommandSpec("list", summary: "List") }), ("remove", { fatalError("nobody has named it") }),
    ]
    let parsed = try CommandSpec("x", summary: "x", subcommands: Subcommands(entries)).parse(["list"])
    #expect(parsed.names == ["list"])
  }
}
