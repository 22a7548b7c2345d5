// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// `darkroom completion`: prints a completion script for a shell.
package enum CompletionCommand: Command {
  private static let shell = ArgumentSpec(
    "SHELL",
    .one,
    .choice(ShellCompletion.allCases.map(\.rawValue)),
    help: "The shell"
  )

  package static let spec = CommandSpec(
    "completion",
    summary: "Print a completion script for a shell",
    arguments: [shell],
    examples: [
      ExampleSpec("source <(darkroom completion bash)", "Enable completion in this Bash"),
      ExampleSpec(
        "darkroom completion fish > ~/.config/fish/completions/darkroom.fish",
        "Enable completion in every new fish"
      ),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    guard let completion = ShellCompletion(rawValue: parsed.value(of: shell) ?? "") else {
      throw CommandFailure(.usage, "unknown shell; see 'darkroom completion --help'")
    }
    console.printText(completion.script(DarkroomCommandLine.spec))
    return 0
  }
}
