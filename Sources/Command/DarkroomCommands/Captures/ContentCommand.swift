// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// `darkroom content`: manages the content that sessions have migrated to an app.
package enum ContentCommand: CommandGroup {
  package static let commands: CommandList = [
    "list": ContentListCommand.self,
    "show": ContentShowCommand.self,
    "export": ContentExportCommand.self,
    "invalidate": ContentInvalidateCommand.self,
    "watch": ContentWatchCommand.self,
  ]

  package static let spec = CommandSpec(
    "content",
    summary: "List, copy and remove the captures of an app",
    subcommands: Subcommands(commands)
  )
}
