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
    summary: "See which sessions there were, and that nobody has changed that",
    discussion: """
      Each session that ends becomes a line of a log to which is only ever appended. Each line names the digest of the \
      one before, so no line can be changed, removed or put elsewhere unnoticed. Who may write to the state root can \
      write all of it anew: to find that out, keep what 'logs head' prints elsewhere, and give it to 'logs verify'.
      """,
    subcommands: Subcommands(commands),
    subcommandRequirement: .defaultsTo("list")
  )
}
