// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
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
    help: "Press the control at the lock screen or elsewhere"
  )
  private static let control = ArgumentSpec("CONTROL", help: "The ID of a control, or APP/ID")

  package static let spec = CommandSpec(
    "press",
    summary: "Press a control at the lock screen or elsewhere",
    discussion: """
      At the lock screen, the press launches the extension, even if the user is authenticated. Elsewhere, the \
      press opens the app with the app context.

      If the app may not use the camera, the user is authenticated and the app is opened instead, so that the app \
      can request the permission. A press grants no permission.

      'darkroom readiness' reports the conditions that are not met. 'darkroom run --help' has the values of \
      --camera.
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
    exitCodes: ExitCode.session(
      [
        ExitCode.success(
          "The app was opened, the extension exited with 0, or was terminated by its dismissal"
        ), ExitCode.checkFailed.when("An expectation of --script is not met"),
        ExitCode.data.when("A policy or script is invalid, or a path of --keys is not an input device"),
        ExitCode.missing.when(
          "The control, its extension or app, or a file or device of an option cannot be found or opened"
        ), ExitCode.unavailable.when("The press was refused, or the user was not authenticated"),
        ExitCode.notExecuted.when("The extension or the app could not be started"),
        ExitCode.temporaryFailure.when(
          "The command or the host received a signal to stop, the screen was locked, another session is in "
            + "the foreground, or the camera or microphone is in use"
        ), ExitCode.cancelled.when("The user cancelled the prompt for a device"),
      ]
    )
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
