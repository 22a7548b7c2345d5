// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import SessionStore

/// `darkroom control unbind`: removes the binding of a key.
package enum ControlUnbindCommand: Command {
  private static let key = ArgumentSpec("KEY", help: "A key from 'darkroom control bindings'")

  package static let spec = CommandSpec(
    "unbind",
    summary: "Remove the binding of a key",
    arguments: [key],
    examples: [ExampleSpec("darkroom control unbind KEY_CAMERA", "Remove the binding of the camera key")],
    exitCodes: [ExitCode.missing.when("The key is not bound"), ExitCode.unusableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let freed = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try KeyBindings(root).unbind(parsed.value(of: key) ?? "")
    }
    if parsed.has(CommonOptions.json) {
      console.print(freed.json)
    } else {
      console.print("\(freed.keyText) no longer presses \(freed.control)")
    }
    return 0
  }
}
