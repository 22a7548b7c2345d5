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
    summary: "Print a script that teaches a shell to complete these commands",
    arguments: [shell],
    examples: [
      ExampleSpec("source <(darkroom completion bash)", "Teach this Bash"),
      ExampleSpec(
        "darkroom completion fish > ~/.config/fish/completions/darkroom.fish",
        "Teach every fish from now on"
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
