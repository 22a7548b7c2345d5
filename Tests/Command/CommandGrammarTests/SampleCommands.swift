// SPDX-License-Identifier: Apache-2.0

import CommandGrammar

/// A sample command spec with each kind of option and argument.
enum Sample {
  static let rootDirectory = OptionSpec.value("root", "DIR", .directory, help: "Keep all state in DIR")
  static let json = OptionSpec.flag("json", help: "Print JSON")
  static let app = OptionSpec.value("app", short: "a", "ID", .text, .required, help: "Run for this app")
  static let policy = OptionSpec.value(
    "policy",
    "NAME|FILE",
    .choiceOrFile(["capture", "strict"]),
    default: "capture",
    help: "Run under this policy"
  )
  static let environment = OptionSpec.value(
    "env",
    short: "e",
    "NAME=VALUE",
    .assignment,
    .repeated,
    help: "Set a variable"
  )
  static let verbose = OptionSpec.flag("verbose", short: "v", help: "Print more")
  static let quiet = OptionSpec.flag("quiet", short: "q", help: "Print less")
  static let deadline = OptionSpec.value("deadline", "TIME", .duration, default: "10s", help: "Wait so long")
  static let scratch = OptionSpec.value("scratch", "SIZE", .byteCount, help: "Give so much room")
  static let count = OptionSpec.value("count", "N", .integer(1...9), help: "Do it so often")
  static let color = OptionSpec.value("color", "WHEN", .choice(["always", "never"]), help: "Use colours")
  static let program = ArgumentSpec(
    "PROGRAM [ARG]",
    .rest(.firstWord, atLeast: 1),
    help: "The program and its arguments"
  )
  static let path = ArgumentSpec("PATH", .one, .directory, help: "The app's directory")
  static let identifiers = ArgumentSpec("ID", .many(atLeast: 0), help: "The apps")
  static let extra = ArgumentSpec("ARG", .rest(.separator, atLeast: 0), help: "Passed on as it is")
  static let format = ArgumentSpec("FORMAT", .optional, .choice(["long", "short"]), help: "How to print")

  static let root = CommandSpec(
    "darkroom",
    summary: "Run capture extensions in a sandbox",
    discussion:
      "An extension runs in a sandbox.\n\nIt's \"sealed\"; a \\ and a -dash stay what they are.\n.Sh is not a macro.",
    options: [rootDirectory, json],
    subcommands: [install, exec, list, run, content],
    examples: [ExampleSpec("darkroom demo", "See everything once")],
    commonExitCodes: commonExitCodes,
    topics: [
      HelpTopic("running", "Run things", .commands(main: ["exec", "run"], others: ["install", "list"])),
      HelpTopic("captures", "Content", .commands(main: ["content"], others: [])),
      HelpTopic("all", "All commands", .allCommands),
      HelpTopic(
        "exit-codes",
        "Exit codes",
        .exitCodes(commonExitCodes + [ExitCodeSpec("other", "Another code")])
      ),
    ],
    formerNames: [
      FormerName("store", now: "content"), FormerName("store copy", now: "content export"),
      FormerName("setup", now: "install"),
    ]
  )

  static let commonExitCodes = [
    ExitCodeSpec("0", "The session was completed"), ExitCodeSpec("64", "The command was not understood"),
  ]

  static let install = CommandSpec("install", summary: "Install an app", arguments: [path])
  static let exec = CommandSpec(
    "exec",
    summary: "Run any program as an extension",
    discussion: "The program's streams come through.\n\n  darkroom exec -- a\n  darkroom exec -- b",
    options: [app, policy, environment, verbose, quiet, deadline, scratch],
    arguments: [program],
    examples: [ExampleSpec("darkroom exec --app org.example.a -- sh -c 'echo \\n'", "Run a shell")],
    exitCodes: [
      ExitCodeSpec("128+n", "The program was terminated by signal n"),
      ExitCodeSpec("126", "The program could not be started"), ExitCodeSpec("0", "The program exited with 0"),
    ]
  )
  static let list = CommandSpec(
    "list",
    summary: "List apps",
    options: [count, color],
    arguments: [identifiers]
  )
  static let run = CommandSpec("run", summary: "Run an extension", arguments: [format, extra])
  static let content = CommandSpec(
    "content",
    summary: "Work with captures",
    subcommands: [CommandSpec("export", summary: "Copy captures", arguments: [path, format])]
  )
}
