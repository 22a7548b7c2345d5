// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// `darkroom control bindings`: lists the bound keys.
package enum ControlBindingsCommand: Command {
  package static let spec = CommandSpec(
    "bindings",
    summary: "List the key bindings",
    exitCodes: [ExitCode.unreadableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let bindings = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try KeyBindings(root).read()
    }
    if parsed.has(CommonOptions.json) {
      console.print(["bindings": .array(bindings.map(\.json))])
    } else if bindings.isEmpty {
      console.note("no key is bound; bind a key with 'darkroom control bind KEY CONTROL'")
    } else {
      var table = TextTable([.init("KEY"), .init("CONTROL")])
      for binding in bindings { table.add([binding.keyText, binding.control]) }
      console.print(table)
    }
    return 0
  }
}
