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
    help: "Read keys of input devices: auto, or paths below /dev/input with commas between them"
  )

  /// The option for the devices of the listener for bound keys.
  static let boundKeys = OptionSpec.value(
    "keys",
    "DEVICES",
    default: "auto",
    help: "The input devices: auto, or paths below /dev/input with commas between them"
  )

  /// Returns the keys of a session, from the devices that an option names, or `nil` if the option is not
  /// given.
  static func control(
    _ option: OptionSpec,
    _ parsed: ParsedCommand,
    _ console: Console
  ) throws(CommandFailure) -> KeyControl? {
    guard let text = parsed.value(of: option) else { return nil }
    let desk = try openDevices(text, requiring: KeyFunction.requiredKeys, wanted: KeyControl.inputCodes)
    return KeyControl(desk) { console.note("darkroom: \(TextTable.printable($0))") }
  }

  /// Opens the devices that a text names.
  static func openDevices(
    _ text: String,
    requiring sought: Set<InputCode>? = nil,
    wanted: Set<InputCode>
  ) throws(CommandFailure) -> KeyInputService {
    // The search for devices skips unreadable ones, so a missing library must be detected first.
    if let fault = EvdevLibrary.fault { throw CommandFailure(.machine, fault) }
    guard let choice = KeyDeviceSelection(text) else {
      throw CommandFailure(
        .usage,
        "\"\(text)\" names no devices: write auto, or /dev/input/event3,/dev/input/event4"
      )
    }
    do { return try KeyInputService(choice, requiring: sought, wanted: wanted) } catch {
      let code: ExitCode =
        switch error {
        case .missing, .noKeys: .missing
        case .notAnInputDevice: .data
        case .refused, .system, .noLibrary: .machine
        }
      throw CommandFailure(code, TextTable.printable("\(error)"))
    }
  }
}
