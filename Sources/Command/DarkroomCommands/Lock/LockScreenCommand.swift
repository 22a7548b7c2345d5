// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import SessionServices
internal import SessionStore

/// `darkroom lock screen`: locks the screens of a Wayland compositor, with a camera in front of the lock.
package enum LockScreenCommand: Command {
  private static let control = OptionSpec.value(
    "control",
    "CONTROL",
    help: "Press this control with the camera button and the camera key: its ID, or APP/ID"
  )

  package static let spec = CommandSpec(
    "screen",
    summary: "Lock the screens of this Wayland session",
    discussion: """
      The lock screen shows the time of day, the authentication prompt when the user types, and a camera button if \
      --control names a control. A press of the button launches the extension in front of the lock: space is its \
      shutter, and d dismisses the session. If the control opens its app, the user is authenticated first.

      The lock is that of 'darkroom lock', and 'darkroom unlock' unlocks the screens, too. 'darkroom lock \
      configure' sets the authentication.

      If this program dies, the compositor keeps the screens locked and blank. Start the program again from \
      another terminal.
      """,
    options: [
      control, CommonOptions.camera, CommonOptions.microphone, KeyOption.keys,
      PhotoLibraryOptions.library,
    ],
    examples: [
      ExampleSpec(
        "darkroom lock screen --control org.example.camera/shutter --camera /dev/video0",
        "Lock the screens, with a camera button"
      )
    ],
    exitCodes: [
      ExitCode.success("The screens are unlocked"), ExitCode.missing.when("The control does not exist"),
      ExitCode.unavailable.when(
        "Nothing was locked, because the user could not unlock again or the compositor refused; "
          + "or the compositor did not unlock"
      ), ExitCode.machine.when("The lock screen program failed; the screens may stay locked"),
      ExitCode.unusableStore,
      ExitCode.temporaryFailure.when("The command received a signal to stop; the screens stay locked"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = try SessionCommands.hostSignals(console)
    let root = try CommonOptions.stateRoot(parsed, console)
    var found: InstalledControl?
    if let name = parsed.value(of: control) {
      found = try ControlCommand.find(name, root, console)
    }
    SessionCommands.recoverEarlierSessions(root, console)
    let press = found.map { control in
      { screen in Self.press(control, root, parsed, console, signals, at: screen) }
    }
    do throws(ScreenLockError) {
      try ScreenLocker(
        root,
        signals,
        errors: console.error,
        environment: console.environment,
        notice: { console.note("darkroom: \($0)") },
        press: press
      ).run()
    } catch { throw CommandFailure(error) }
    return 0
  }

  /// Presses the control of the camera button in front of a lock screen.
  private static func press(
    _ control: InstalledControl,
    _ root: StateRoot,
    _ parsed: ParsedCommand,
    _ console: Console,
    _ signals: HostSignals,
    at screen: ActiveLockScreen
  ) -> ScreenLocker.CameraPress {
    do throws(CommandFailure) {
      let press = try ControlPress(
        control,
        .lockScreen,
        KeyOption.keys,
        root,
        parsed,
        console,
        signals,
        at: screen
      )
      return try press.perform(screen.screen).kind == .stopped ? .stopped : .completed
    } catch {
      console.note("darkroom: \(error)")
      // The user knows which control was pressed.
      return .refused(String("\(error)".trimmingPrefix("\(control.fullName): ")))
    }
  }
}

extension CommandFailure {
  /// Creates the failure for an error of the lock screen.
  fileprivate init(_ error: ScreenLockError) {
    let code: ExitCode =
      switch error {
      case .noAuthentication, .refused, .notUnlocked: .unavailable
      case .program, .noReply, .system, .exitedRepeatedly: .machine
      case .lockNotWritten: .store
      case .stopped: .temporaryFailure
      }
    self.init(code, "\(error)")
  }
}
