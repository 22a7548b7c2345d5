// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import SessionStore

/// `darkroom control listen`: presses controls when their keys are pressed.
package enum ControlListenCommand: Command {
  package static let spec = CommandSpec(
    "listen",
    summary: "Press controls by the keys that are bound to them, until SIGTERM",
    discussion: """
      A press does what 'darkroom control press' does: at the lock screen while the machine is locked, and elsewhere \
      otherwise. While a session runs the keys are its buttons. A press that is refused is explained, and the next is \
      waited for. Bindings may change meanwhile. The devices stay everybody's: what else the system does with a key it \
      goes on doing.
      """,
    options: [KeyOption.boundKeys, CommonOptions.camera, CommonOptions.microphone, DeviceAccessRequest.allow]
      + HostEnvironment.options,
    examples: [
      ExampleSpec("darkroom control listen --camera pattern", "Listen to every device that has a bound key")
    ],
    exitCodes: ExitCode.table
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = try SessionCommands.hostSignals(console)
    let root = try CommonOptions.sessionRoot(parsed, console)
    SessionCommands.recoverEarlierSessions(root, console)
    try KeyListener(root, parsed, console, signals).listen()
    return 0
  }
}
