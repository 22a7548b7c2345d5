// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// `darkroom context`: manages the JSON document that an app shares with its extensions.
package enum ContextCommand: CommandGroup {
  package static let commands: CommandList = [
    "get": ContextGetCommand.self,
    "set": ContextSetCommand.self,
    "clear": ContextClearCommand.self,
  ]

  package static let spec = CommandSpec(
    "context",
    summary: "Print, set and clear the context of an app",
    discussion: """
      The context is JSON that an app and its extensions share.
      """,
    subcommands: Subcommands(commands)
  )
}
