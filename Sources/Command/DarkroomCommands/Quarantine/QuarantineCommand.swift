// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// `darkroom quarantine`: manages quarantined files.
package enum QuarantineCommand: CommandGroup {
  package static let commands: CommandList = [
    "list": QuarantineListCommand.self,
    "show": QuarantineShowCommand.self,
    "remove": QuarantineRemoveCommand.self,
  ]

  package static let spec = CommandSpec(
    "quarantine",
    summary: "List and delete the quarantined items of sessions",
    discussion: """
      Items of a session that cannot be migrated to its app are quarantined.
      """,
    subcommands: Subcommands(commands)
  )
}
