// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// `darkroom policy`: the policies that extensions run under.
package enum PolicyCommand: CommandGroup {
  package static let commands: [any Command.Type] = [
    PolicyListCommand.self,
    PolicyShowCommand.self,
    PolicyExplainCommand.self,
    PolicyCheckCommand.self,
    PolicyVerifyCommand.self,
    PolicyLearnCommand.self,
    PolicyDiffCommand.self,
    PolicyDisassembleCommand.self,
    PolicyImportCommand.self,
    PolicyExportCommand.self,
  ]

  package static let spec = CommandSpec(
    "policy",
    summary: "See what the policies allow, and check them",
    subcommands: commands.map { $0.spec }
  )
}
