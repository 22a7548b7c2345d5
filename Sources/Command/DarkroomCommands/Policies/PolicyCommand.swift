// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// `darkroom policy`: inspects, compares, creates and converts policies.
package enum PolicyCommand: CommandGroup {
  package static let commands: CommandList = [
    "list": PolicyListCommand.self,
    "show": PolicyShowCommand.self,
    "explain": PolicyExplainCommand.self,
    "check": PolicyCheckCommand.self,
    "verify": PolicyVerifyCommand.self,
    "learn": PolicyLearnCommand.self,
    "diff": PolicyDiffCommand.self,
    "subset": PolicySubsetCommand.self,
    "combine": PolicyCombineCommand.self,
    "history": PolicyHistoryCommand.self,
    "disassemble": PolicyDisassembleCommand.self,
    "import": PolicyImportCommand.self,
    "export": PolicyExportCommand.self,
  ]

  package static let spec = CommandSpec(
    "policy",
    summary: "Show, check, compare and convert policies",
    subcommands: Subcommands(commands)
  )
}
