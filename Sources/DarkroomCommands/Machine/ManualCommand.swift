// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// `darkroom manual`: the manual page.
package enum ManualCommand: Command {
  /// The day on which the commands last changed, as mdoc(7) writes it.
  private static let date = "November 21, 2026"

  package static let spec = CommandSpec(
    "manual",
    summary: "Print the manual page, as man reads it",
    examples: [
      ExampleSpec("darkroom manual | man -l -", "Read the manual")
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    console.printText(ManPage.render(DarkroomCommandLine.spec, date: date))
    return 0
  }
}
