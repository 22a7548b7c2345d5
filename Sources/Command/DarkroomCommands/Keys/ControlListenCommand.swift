// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import SessionServices
internal import SessionStore

/// `darkroom control listen`: presses controls when their keys are pressed.
package enum ControlListenCommand: Command {
  package static let spec = CommandSpec(
    "listen",
    summary: "Press controls when their bound keys are pressed",
    discussion: """
      The command runs until it receives a signal, such as SIGTERM or SIGINT. A key has the effect of 'darkroom \
      control press': at the lock screen while the screen is locked, and elsewhere otherwise. During a session, \
      the keys are the buttons of the camera.

      A refused press is explained on standard error, and the command continues. Changed bindings take effect at \
      once. The input devices are not grabbed: other programs receive the keys, too.
      """,
    options: [KeyOption.boundKeys, CommonOptions.camera, CommonOptions.microphone, DeviceOptions.allow]
      + HostEnvironment.options,
    examples: [
      ExampleSpec("darkroom control listen --camera pattern", "Listen to every device that has a bound key")
    ],
    exitCodes: [
      ExitCode.success("A signal stopped the command"),
      ExitCode.data.when("A path of --keys is not an input device"),
      ExitCode.missing.when("A device of --keys does not exist, or no device has the bound keys"),
      ExitCode.machine.when("The library libevdev, an input device or a required system call is unavailable"),
      ExitCode.unusableStore,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = try SessionCommands.hostSignals(console)
    let root = try CommonOptions.sessionRoot(parsed, console)
    SessionCommands.recoverEarlierSessions(root, console)
    let selection = try KeyOption.selection(parsed.value(of: KeyOption.boundKeys) ?? "")
    do throws(KeyListenerError) {
      try BoundKeyListener(
        root,
        selection,
        signals,
        notice: { console.note("darkroom: \($0)") },
        press: { Self.press($0, root, parsed, console, signals) }
      ).listen()
    } catch { throw CommandFailure(error) }
    return 0
  }

  /// Performs a press of the control that is bound to a key. Errors are printed.
  private static func press(
    _ binding: KeyBinding,
    _ root: StateRoot,
    _ parsed: ParsedCommand,
    _ console: Console,
    _ signals: HostSignals
  ) -> BoundKeyListener.Press {
    do throws(CommandFailure) {
      let control = try ControlCommand.find(binding.control, root, console)
      let press = try ControlPress(control, nil, KeyOption.boundKeys, root, parsed, console, signals)
      switch try press.perform(NoControl()).kind {
      case .opened: return .completed
      case .session: return .session
      case .stopped: return .stopped
      }
    } catch { console.note("darkroom: \(binding.keyText): \(error)") }
    return .completed
  }
}

extension CommandFailure {
  /// Creates the failure for an error of the listener.
  fileprivate init(_ error: KeyListenerError) {
    switch error {
    case .store(let error): self.init(error)
    case .devices(let error): self.init(error)
    case .notWatched, .system: self.init(.machine, "\(error)")
    }
  }
}
