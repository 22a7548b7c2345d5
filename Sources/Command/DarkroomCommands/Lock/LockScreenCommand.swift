// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import DarkroomHost
internal import SessionServices
internal import SessionStore

/// `darkroom lock screen`: locks the screens of a Wayland compositor, with a camera in front of the lock.
package enum LockScreenCommand: Command {
  private static let control = OptionSpec.value(
    "control",
    "CONTROL",
    help: "What the camera button and the camera key press: the id of a control, or APP/ID"
  )

  package static let spec = CommandSpec(
    "screen",
    summary: "Lock the screens of this Wayland session, with a button of the camera",
    discussion: """
      Nothing is shown but the time of day, what the person is asked, as soon as they begin to type, and the button of \
      the camera if --control names what it presses. A press launches the extension in front of the lock; space is its \
      shutter then, and d dismisses it. If it \
      opens its app the person is asked who they are. The lock is that of 'darkroom lock', and 'darkroom unlock' opens \
      the screens as well. The person is asked as 'darkroom lock configure' says.

      If this program dies, the compositor leaves the screens locked and dark; start it again from elsewhere.

      Exit codes: 0 unlocked; 69 nothing was locked, and the reason is said; 75 told to stop: the screens stay locked.
      """,
    options: [
      control, CommonOptions.camera, CommonOptions.microphone, KeyOption.keys,
      PhotoLibraryOptions.library,
    ],
    examples: [
      ExampleSpec(
        "darkroom lock screen --control org.example.camera/shutter --camera /dev/video0",
        "Lock, with the camera one press away"
      )
    ],
    exitCodes: ExitCode.table
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
