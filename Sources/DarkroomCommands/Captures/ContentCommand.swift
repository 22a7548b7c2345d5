// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// `darkroom content`: what sessions have handed over to an app.
package enum ContentCommand: CommandGroup {
  package static let commands: [any Command.Type] = [
    ContentListCommand.self,
    ContentExportCommand.self,
    ContentInvalidateCommand.self,
    ContentWatchCommand.self,
  ]

  package static let spec = CommandSpec(
    "content",
    summary: "See, copy and remove what sessions have handed over to an app",
    subcommands: commands.map { $0.spec }
  )
}
