// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// `darkroom log`: lists and verifies the log of all sessions.
package enum LogCommand: CommandGroup {
  package static let commands: CommandList = [
    "list": LogListCommand.self,
    "show": LogShowCommand.self,
    "refusals": LogRefusalsCommand.self,
    "verify": LogVerifyCommand.self,
    "head": LogHeadCommand.self,
  ]

  package static let spec = CommandSpec(
    "log",
    summary: "See which sessions there were, and that nobody has changed that",
    discussion: """
      Each session that ends becomes a line of a log to which is only ever appended. Each line names the digest of the \
      one before, so no line can be changed, removed or put elsewhere unnoticed. Who may write to the state root can \
      write all of it anew: to find that out, keep what 'log head' prints elsewhere, and give it to 'log verify'.
      """,
    subcommands: Subcommands(commands)
  )
}
