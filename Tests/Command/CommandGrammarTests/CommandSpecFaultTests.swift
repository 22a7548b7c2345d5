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
          subcommands: [CommandSpec("z", summary: "z"), CommandSpec("z", summary: "z")],
          exitCodes: [ExitCodeSpec("1", "One"), ExitCodeSpec("1", "Another one")]
        )
      ]
    )
    let reasons = broken.faults.map(\.reason)
    let expected: [CommandSpecFault.Reason] = [
      .duplicateOption("--help"), .invalidDefault(option: "--n"), .undocumented("x"), .duplicateOption("--n"),
      .duplicateCommand("z"), .duplicateExitCode("1"),
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
    #expect(
      spec.faults.map(\.description) == [
        "x: the subcommand that is listed as remove has a spec with the name delete"
      ]
    )
  }

  private static let summaries: [(String, [CommandSpecFault.Reason])] = [
    ("Run an extension", []), ("Pass it on", []), (String(repeating: "Run ", count: 15), []),
    (String(repeating: "Run ", count: 15) + "x", [.tooLong("y", limit: 60)]), ("Run it.", [.finalStop("y")]),
    ("Runs an extension", [.notImperative("y", firstWord: "Runs")]),
    ("What it does", [.notImperative("y", firstWord: "What")]),
    ("See the log", [.notImperative("y", firstWord: "See")]),
    ("Say what happens", [.notImperative("y", firstWord: "Say")]),
  ]

  @Test(arguments: summaries)
  func `a summary must be short and in the imperative`(summary: String, faults: [CommandSpecFault.Reason]) {
    let spec = CommandSpec("x", summary: "Run x", subcommands: [CommandSpec("y", summary: summary)])
    #expect(spec.faults.map(\.reason) == faults)
  }

  private static let optionTexts: [(String, [CommandSpecFault.Reason])] = [
    (String(repeating: "Keep", count: 25), []),
    (String(repeating: "Keep", count: 25) + "x", [.tooLong("--o", limit: 100)]),
    ("How long it takes", [.notImperative("--o", firstWord: "How")]), ("Keep it.", [.finalStop("--o")]),
  ]

  @Test(arguments: optionTexts)
  func `the help of an option must be short and in the imperative`(
    help: String,
    faults: [CommandSpecFault.Reason]
  ) {
    let spec = CommandSpec("x", summary: "Run x", options: [.flag("o", help: help)])
    #expect(spec.faults.map(\.reason) == faults)
  }

  @Test func `finds a group that lacks, repeats or invents a command, and an ambiguous topic`() {
    let spec = CommandSpec(
      "x",
      summary: "Run x",
      subcommands: [
        CommandSpec("a", summary: "Run a"), CommandSpec("b", summary: "Run b"),
        CommandSpec("c", summary: "Run c"),
      ],
      topics: [
        HelpTopic("one", "One", .commands(main: ["a"], others: ["b", "b"])),
        HelpTopic("a", "A", .commands(main: ["d"], others: [])), HelpTopic("one", "Again", .allCommands),
        HelpTopic("help", "Help", .allCommands),
      ]
    )
    let expected: [CommandSpecFault.Reason] = [
      .regroupedCommand("b"), .ungroupedCommand("c"), .unknownCommandInGroup("d", topic: "a"),
      .ambiguousTopic("a"), .ambiguousTopic("one"), .ambiguousTopic("help"),
    ]
    let reasons = spec.faults.map(\.reason)
    #expect(reasons.count == expected.count, "\(reasons)")
    for reason in expected { #expect(reasons.contains(reason), "\(reason)") }
  }

  @Test func `finds a missing default subcommand and a wrong former name`() {
    let former = [FormerName("old", now: "a"), FormerName("a", now: "b"), FormerName("older", now: "c")]
    let spec = CommandSpec(
      "x",
      summary: "Run x",
      subcommands: [CommandSpec("a", summary: "Run a"), CommandSpec("b", summary: "Run b")],
      subcommandRequirement: .defaultsTo("c"),
      formerNames: former
    )
    let expected: [CommandSpecFault.Reason] = [
      .unknownDefault("c"), .invalidFormerName(former[1]), .invalidFormerName(former[2]),
    ]
    #expect(spec.faults.map(\.reason) == expected)
  }

  @Test func `creates only the specs of the commands on the command line`() throws {
    let entries: [(name: String, table: @Sendable () -> CommandSpec)] = [
      ("list", { CommandSpec("list", summary: "List") }),
      ("remove", { fatalError("not on the command line") }),
    ]
    let parsed = try CommandSpec("x", summary: "x", subcommands: Subcommands(entries)).parse(["list"])
    #expect(parsed.names == ["list"])
  }
}
