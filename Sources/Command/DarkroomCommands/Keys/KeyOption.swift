// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import KeyInput
internal import PolicyExplanation
internal import SessionServices

/// The option for input devices, and the devices that it names.
enum KeyOption {
  /// The option for the devices of a session. Without it, no keys are read.
  static let keys = OptionSpec.value(
    "keys",
    "DEVICES",
    help: "Read keys of these input devices: auto, or paths below /dev/input, separated by commas"
  )

  /// The option for the devices of the listener for bound keys.
  static let boundKeys = OptionSpec.value(
    "keys",
    "DEVICES",
    default: "auto",
    help: "Read keys of these input devices: auto, or paths below /dev/input, separated by commas"
  )

  /// Returns the keys of a session, from the devices that an option names, or `nil` if the option is not
  /// given.
  static func control(
    _ option: OptionSpec,
    _ parsed: ParsedCommand,
    _ console: Console
  ) throws(CommandFailure) -> KeyControl? {
    guard let text = parsed.value(of: option) else { return nil }
    let devices = try selection(text)
    do {
      let service = try KeyInputService(
        devices,
        requiring: KeyFunction.requiredKeys,
        wanted: KeyControl.inputCodes
      )
      return KeyControl(service) { console.note("darkroom: \(TextTable.printable($0))") }
    } catch { throw CommandFailure(error) }
  }

  /// Returns the devices that a text names.
  static func selection(_ text: String) throws(CommandFailure) -> KeyDeviceSelection {
    // The search for devices skips unreadable ones, so a missing library must be detected first.
    if let fault = EvdevLibrary.fault { throw CommandFailure(.machine, fault) }
    guard let selection = KeyDeviceSelection(text) else {
      throw CommandFailure(
        .usage,
        "--keys: '\(text)' is not a device list; use auto, or paths such as /dev/input/event3,/dev/input/event4"
      )
    }
    return selection
  }
}

extension CommandFailure {
  /// Creates the failure for input devices that cannot be opened.
  init(_ error: KeyInputError) {
    let code: ExitCode =
      switch error {
      case .missing, .noKeys: .missing
      case .notAnInputDevice: .data
      case .refused, .system, .noLibrary: .machine
      }
    self.init(code, TextTable.printable("\(error)"))
  }
}
