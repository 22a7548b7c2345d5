// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import DarkroomHost
internal import ExtensionProtocol
internal import JSONText
internal import SessionServices
internal import SessionStore

/// `darkroom control press`: presses a control.
package enum ControlPressCommand: Command {
  private static let surface = OptionSpec.value(
    "from",
    "SURFACE",
    .choice(ControlSurface.allCases.map(\.rawValue)),
    .required,
    help: "Where it is pressed: at the lock screen, or elsewhere"
  )
  private static let control = ArgumentSpec("CONTROL", help: "The id of a control, or APP/ID")

  package static let spec = CommandSpec(
    "press",
    summary: "Press a control: launch its extension at the lock screen, open its app elsewhere",
    discussion: """
      At the lock screen the extension is launched, whether the person is authenticated or not; elsewhere its app is \
      opened with the app context. If the app may not use the camera, the person is asked who they are and the app is \
      opened instead, so that it can ask. A press grants no permission. 'darkroom readiness' says what would hinder it.
      """,
    options: [
      surface, CommonOptions.camera, CommonOptions.microphone, DeviceOptions.allow, RunCommand.script,
      KeyOption.keys,
      CommonOptions.record,
    ]
      + HostEnvironment.options,
    arguments: [control],
    examples: [
      ExampleSpec(
        "darkroom control press org.example.camera/shutter --from lockscreen --camera pattern",
        "Take a picture at the lock screen"
      )
    ],
    exitCodes: ExitCode.table
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = try SessionCommands.hostSignals(console)
    try SessionCommands.checkRecord(parsed)
    let root = try CommonOptions.sessionRoot(parsed, console)
    let surface = parsed.value(of: surface).flatMap(ControlSurface.init)
    let found = try ControlCommand.find(parsed.value(of: control) ?? "", root, console)
    SessionCommands.recoverEarlierSessions(root, console)
    let press = try ControlPress(found, surface, KeyOption.keys, root, parsed, console, signals)
    let control = try RunCommand.control(parsed, console)
    return try press.perform(control).code
  }
}
