// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import DarkroomHost
internal import SessionServices
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
    options: [KeyOption.boundKeys, CommonOptions.camera, CommonOptions.microphone, DeviceOptions.allow]
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

  /// Presses the control of a key. An error is printed.
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
