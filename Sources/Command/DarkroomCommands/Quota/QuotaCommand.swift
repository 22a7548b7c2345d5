// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// `darkroom quota`: manages the storage limits of sessions.
package enum QuotaCommand: CommandGroup {
  package static let commands: CommandList = ["show": QuotaShowCommand.self, "set": QuotaSetCommand.self]

  package static let spec = CommandSpec(
    "quota",
    summary: "Show and set the quotas of pending content",
    subcommands: Subcommands(commands)
  )
}
