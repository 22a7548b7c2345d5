// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// `darkroom logs`: lists and verifies the log of all sessions.
package enum LogsCommand: CommandGroup {
  package static let commands: CommandList = [
    "list": LogsListCommand.self,
    "refusals": LogsRefusalsCommand.self,
    "verify": LogsVerifyCommand.self,
    "head": LogsHeadCommand.self,
  ]

  package static let spec = CommandSpec(
    "logs",
    summary: "List and verify the log of ended sessions",
    discussion: """
      Each ended session is an entry of the session log. Each entry contains the digest of the previous entry, so \
      that a changed, removed, inserted or moved entry is detected. Without a command, 'darkroom logs list' runs.

      A program that can write to the state root can replace the complete log. To detect this, keep the output of \
      'darkroom logs head' elsewhere, and pass it to 'darkroom logs verify'.
      """,
    subcommands: Subcommands(commands),
    subcommandRequirement: .defaultsTo("list")
  )
}
