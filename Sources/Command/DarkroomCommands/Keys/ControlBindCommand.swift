// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import SessionServices
internal import SessionStore

/// `darkroom control bind`: binds a key to a control.
package enum ControlBindCommand: Command {
  private static let key = ArgumentSpec(
    "KEY",
    help:
      "A key name of the kernel, such as KEY_CAMERA, KEY_POWER:double (two presses) or SW_CAMERA_LENS_COVER"
  )
  private static let control = ArgumentSpec("CONTROL", help: "The ID of a control, or APP/ID")

  package static let spec = CommandSpec(
    "bind",
    summary: "Bind a key to a control",
    discussion: """
      A bound key presses the control while 'darkroom control listen' runs. A previous binding of the key is \
      replaced. SW_CAMERA_LENS_COVER presses the control when the lens is uncovered.
      """,
    arguments: [key, control],
    examples: [
      ExampleSpec(
        "darkroom control bind KEY_CAMERA org.example.camera/shutter",
        "Use the camera key as the shutter of an app"
      )
    ],
    exitCodes: [
      ExitCode.usage.when("The command line is invalid, or the key is unknown"),
      ExitCode.data.when("The key is already bound with another number of presses"),
      ExitCode.missing.when("The control does not exist"),
      ExitCode.machine.when("The library libevdev is unavailable"), ExitCode.unusableStore,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let trigger = try trigger(parsed.value(of: key) ?? "")
    let found = try ControlCommand.find(parsed.value(of: control) ?? "", root, console)
    let binding = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try KeyBindings(root).bind(trigger, to: found)
    }
    if parsed.has(CommonOptions.json) {
      console.print(binding.json)
    } else {
      console.print("\(binding.keyText) presses \(binding.control)")
    }
    return 0
  }

  /// Returns the key trigger that an argument names.
  private static func trigger(_ word: String) throws(CommandFailure) -> KeyTrigger {
    do { return try KeyTrigger(named: word) } catch {
      switch error {
      case .unknown: throw CommandFailure(.usage, "\(error)")
      case .libraryUnavailable: throw CommandFailure(.machine, "\(error)")
      }
    }
  }
}
