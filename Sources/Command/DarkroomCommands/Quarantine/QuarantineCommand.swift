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
    summary: "See and remove what sessions left that was kept from their app",
    subcommands: Subcommands(commands)
  )
}
