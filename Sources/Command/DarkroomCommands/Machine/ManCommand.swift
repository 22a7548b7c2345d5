// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import LinuxPrimitives

/// `darkroom man`: prints the manual pages.
package enum ManCommand: Command {
  /// The date of the last change to the commands, as written in mdoc(7).
  private static let date = "November 23, 2026"

  private static let command = ArgumentSpec(
    "COMMAND",
    .many(atLeast: 0),
    .text,
    help: "The command, such as run or policy verify (default: the page of darkroom)"
  )
  private static let directory = OptionSpec.value(
    "directory",
    "DIR",
    .directory,
    help: "Write all pages to files in DIR, such as darkroom.1 and darkroom-run.1"
  )
  private static let prepared = OptionSpec.flag(
    "prepared",
    help: "Print all help texts and completion scripts with an index, for the Debian package"
  )

  package static let spec = CommandSpec(
    "man",
    summary: "Print a man page",
    discussion: """
      The page is printed as mdoc(7) source.
      """,
    options: [directory, prepared],
    arguments: [command],
    examples: [
      ExampleSpec("darkroom man | man -l -", "Show the page of darkroom"),
      ExampleSpec("darkroom man run | man -l -", "Show the page of a command"),
      ExampleSpec("darkroom man --directory ~/.local/share/man/man1", "Install all pages"),
    ],
    exitCodes: [
      ExitCode.usage.when("The command line is invalid, or the command does not exist"),
      ExitCode.machine.when("The texts cannot be created"),
      ExitCode.store.when("The pages cannot be written"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = DarkroomCommandLine.spec
    let names = parsed.values(of: command)
    if parsed.has(prepared) {
      guard names.isEmpty, !parsed.has(directory) else {
        throw CommandFailure(.usage, "--prepared prints all texts; omit COMMAND and --directory")
      }
      console.print(bytes: try preparedTexts())
      return 0
    }
    if let directory = parsed.value(of: directory) {
      guard names.isEmpty else {
        throw CommandFailure(.usage, "--directory writes all pages; omit COMMAND")
      }
      try write(root, to: directory)
      return 0
    }
    guard let path = CommandResolver(root, names)?.path else {
      let name = names.joined(separator: " ")
      throw CommandFailure(.usage, "unknown command '\(name)'; 'darkroom help' lists the commands")
    }
    console.printText(ManPage.render(path, date: date))
    return 0
  }

  private static func preparedTexts() throws(CommandFailure) -> [UInt8] {
    do {
      return try PreparedTexts.bytes()
    } catch {
      throw CommandFailure(.machine, "the texts could not be created: \(error)")
    }
  }

  /// Writes the page of the program and the page of each command.
  private static func write(_ root: CommandSpec, to directory: String) throws(CommandFailure) {
    let paths = [CommandPath(root)] + root.subcommands.compactMap { CommandPath(root, [$0.name]) }
    for path in paths {
      let page = ManPage.render(path, date: date)
      do {
        try FileSystem.replaceContents(
          "\(directory)/\(ManPage.name(path)).1",
          with: Array(page.utf8),
          mode: 0o644
        )
      } catch {
        throw CommandFailure(
          .store,
          "the pages could not be written to '\(directory)': \(error.errno); give an existing, writable directory"
        )
      }
    }
  }
}
